import AttachmentContainer
import Foundation
import Testing

/// Other processes can write to an App Group, by mistake or with intent.
@Suite("FIFOs instead of files", .timeLimit(.minutes(1)))
struct MisplacedTests {
    /// Replaces a file with a FIFO and runs `body`, which must not block on it.
    private func withFIFO(
        _ fixture: ContainerFixture, at name: String, _ body: () throws -> Void
    ) throws {
        let path = fixture.path(name)
        try? FileManager.default.removeItem(atPath: path)
        try #require(mkfifo(path, 0o600) == 0)
        let timeout = 30.0
        // Releases a blocked reader, so that the test fails instead of hanging.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: timeout)
            _ = open(path, O_RDWR | O_CLOEXEC)
        }
        let elapsed = try ContinuousClock().measure { try body() }
        #expect(elapsed < .seconds(timeout))
    }

    @Test("A FIFO as manifest is reported as corrupt and can be forgotten")
    func manifest() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one")
        try FileManager.default.removeItem(at: fixture.url("results"))
        let name = fixture.manifestFile("one")
        try withFIFO(fixture, at: name) {
            let error = #expect(throws: ContainerError.self) {
                try fixture.container.manifest(for: "one")
            }
            #expect(error?.code == .corrupt && error?.path == fixture.path(name))
            let content = fixture.container.content(
                for: "one", on: Display(width: 440, scale: 3))
            #expect(content.absence == .unreadable)
            let found = fixture.findings().filter { $0.severity == .error }
            #expect(found.map(\.code) == [.corruptManifest] && found.map(\.path) == [name])
            let policy = try PruningPolicy(maximumCount: 0)
            #expect(try fixture.prune(policy).failures == 0)
            #expect(try fixture.container.forget("one"))
            #expect(try fixture.container.manifest(for: "one") == nil)
        }
    }

    @Test("A FIFO as rendition is stray and not shown")
    func rendition() throws {
        let fixture = try ContainerFixture()
        var publication = Publication(in: fixture.container)
        // Empty, like a FIFO.
        let file = try IncomingFile(in: fixture.container)
        let rendition = try publication.add(
            file, as: .expanded, type: .jpeg, size: PixelSize(width: 4, height: 3))
        try publication.commit(ContainerFixture.manifest("one", [rendition]))
        let name = "renditions/\(rendition.file)"
        try withFIFO(fixture, at: name) {
            let found = fixture.findings().filter { $0.path == name }
            #expect(found.map(\.code) == [.stray])
            let content = fixture.container.content(
                for: "one", on: Display(width: 440, scale: 3))
            #expect(content.picture == nil && content.absence == .evicted)
        }
    }

    @Test("A FIFO as result is a cache miss")
    func result() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one", text: "picture")
        let name = "results/\(try #require(try fixture.files(in: "results").first))"
        try withFIFO(fixture, at: name) {
            let result = fixture.container.result(
                source: ContentDigest(of: "picture"), settings: "5e77")
            #expect(result == nil)
            #expect(fixture.findings().map(\.code) == [.staleResult])
        }
    }

    @Test("A FIFO as thimble.json is refused")
    func format() throws {
        let fixture = try ContainerFixture()
        try withFIFO(fixture, at: "thimble.json") {
            let error = #expect(throws: ContainerError.self) {
                try SharedContainer.open(at: fixture.folder)
            }
            #expect(error?.code == .corrupt)
        }
    }
}
