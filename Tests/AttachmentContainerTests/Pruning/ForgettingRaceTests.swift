import AttachmentContainer
import Foundation
import Testing

@Suite("Concurrent and interrupted forgetting", .timeLimit(.minutes(2)))
struct ForgettingRaceTests {
    /// Two old notifications that share a picture; only `kept` is delivered.
    private func makeFixture() throws -> ContainerFixture {
        let fixture = try ContainerFixture(waitingForVolume: false)
        for identifier in ["kept", "gone"] {
            try fixture.publish(identifier, sharing: 100, own: 50)
            try fixture.age(identifier, hours: 2)
        }
        return fixture
    }

    private func forget(_ container: SharedContainer) throws -> ForgettingReport {
        try container.forget(allBut: ["kept"])
    }

    /// Expects the delivered notification whole, and nothing of the other.
    private func expectForgotten(
        _ fixture: ContainerFixture, _ location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try fixture.identifiers() == ["kept"], sourceLocation: location)
        let manifest = try #require(try fixture.container.manifest(for: "kept"))
        #expect(
            try fixture.files(in: "renditions") == manifest.renditions.map(\.file).sorted(),
            sourceLocation: location)
        #expect(try fixture.files(in: "incoming") == [], sourceLocation: location)
        for file in try fixture.allFiles() {
            let bytes = try Data(contentsOf: fixture.url(file))
            #expect(bytes.range(of: Data("gone".utf8)) == nil, sourceLocation: location)
        }
        #expect(fixture.findings() == [], sourceLocation: location)
    }

    @Test("A forgetting that ends at any system call is completed by the next one")
    func interrupted() throws {
        let whole = try makeFixture()
        let counter = CallInterposer { _, _ in .system }
        let container = try whole.interposed(counter)
        let opening = counter.calls.count
        _ = try forget(container)
        try expectForgotten(whole)
        let total = counter.calls.count
        #expect(total - opening > 20)
        for last in opening..<total {
            let fixture = try makeFixture()
            // Every later call fails, as if the process had been killed.
            let killed = try fixture.interposed(
                CallInterposer { _, number in number > last ? .failure(EIO) : .system })
            _ = try? forget(killed)
            let kept = try #require(try fixture.container.manifest(for: "kept"), "\(last)")
            for rendition in kept.renditions {
                #expect(
                    FileManager.default.fileExists(
                        atPath: fixture.container.url(of: rendition).path), "\(last)")
            }
            #expect(try forget(fixture.container).isComplete)
            try expectForgotten(fixture)
        }
    }

    @Test(
        "A notification published, pinned or shared again while it is forgotten stays",
        arguments: ["published", "pinned", "shared"])
    func meanwhile(change: String) throws {
        let fixture = try makeFixture()
        let manifest = try #require(try fixture.container.manifest(for: "gone"))
        let interference = OneTimeAction {
            switch change {
            case "published": try Publication(in: fixture.container).commit(manifest)
            case "pinned": try fixture.container.pin("gone")
            default:
                try Publication(in: fixture.container).commit(manifest.readdressed(to: "new"))
            }
        }
        let container = try fixture.interposed(
            CallInterposer { call, _ in
                // Just before the manifest vanishes, or the first rendition of it.
                let ending = change == "shared" ? ".jpg.condemned" : ".json.condemned"
                if call.name == .rename, call.path.hasSuffix(ending) { interference.run() }
                return .system
            })
        _ = try forget(container)
        #expect(interference.didRun)
        #expect(
            try fixture.identifiers() == ["kept", change == "shared" ? "new" : "gone"].sorted())
        fixture.expectSound()
    }

    @Test("Prunings, publications and forgettings at once lose no delivered notification")
    func crowd() async throws {
        let fixture = try makeFixture()
        let container = fixture.container
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<2 {
                group.addTask {
                    for round in 0..<20 { try fixture.publish("new-\(worker)-\(round)") }
                }
                group.addTask {
                    for _ in 0..<10 { _ = try container.forget(allBut: ["kept"]) }
                }
                group.addTask {
                    for _ in 0..<10 { _ = try container.prune(try PruningPolicy()) }
                }
            }
            try await group.waitForAll()
        }
        // Fresh ones stay, because the system may deliver them next.
        #expect(try fixture.identifiers().count == 41)
        fixture.expectSound()
        let report = try container.forget(allBut: ["kept"], olderThan: .zero)
        #expect(report.isComplete && report.forgotten.count == 40)
        try expectForgotten(fixture)
    }
}
