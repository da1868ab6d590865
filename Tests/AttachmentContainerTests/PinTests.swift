import AttachmentContainer
import Foundation
import Testing

@Suite("Pins", .timeLimit(.minutes(1)))
struct PinTests {
    /// Sorted identifiers of the pinned notifications.
    private func pinned(_ container: SharedContainer) throws -> [String] {
        try container.pinned().map { try $0.get().identifier }.sorted()
    }

    @Test("Pinning and unpinning are visible to other processes at once")
    func shared() throws {
        let fixture = try ContainerFixture()
        for identifier in ["one", "two", "three"] { try fixture.publish(identifier) }
        // A separate instance, as in another process.
        let other = try SharedContainer.open(at: fixture.folder)
        #expect(try !other.isPinned("one"))
        #expect(try fixture.container.pin("one"))
        #expect(try other.pin("three"))
        #expect(try other.isPinned("one"))
        #expect(try fixture.container.isPinned("three"))
        #expect(try pinned(other) == ["one", "three"])
        #expect(try other.unpin("one"))
        #expect(try !fixture.container.isPinned("one"))
        #expect(try pinned(fixture.container) == ["three"])
        #expect(try fixture.container.manifest(for: "one") != nil)
    }

    @Test("Pinning and unpinning are idempotent")
    func twice() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one")
        #expect(try fixture.container.pin("one"))
        #expect(try fixture.container.pin("one"))
        #expect(try pinned(fixture.container) == ["one"])
        #expect(try fixture.container.unpin("one"))
        #expect(try !fixture.container.unpin("one"))
        #expect(try pinned(fixture.container) == [])
    }

    @Test("A pin may precede its notification and survives republication")
    func early() throws {
        let fixture = try ContainerFixture()
        #expect(try !fixture.container.pin("one"))
        #expect(try fixture.container.isPinned("one"))
        #expect(try pinned(fixture.container) == [])
        try fixture.publish("one", text: "first")
        let last = try fixture.publish("one", text: "last")
        #expect(try fixture.container.pinned().map { try $0.get() } == [last])
    }

    @Test("A pinned notification whose manifest is damaged is an error in its place")
    func damaged() throws {
        let fixture = try ContainerFixture()
        for identifier in ["one", "two"] {
            try fixture.publish(identifier)
            try fixture.container.pin(identifier)
        }
        try fixture.write("{", to: fixture.manifestFile("one"))
        var identifiers: [String] = []
        var codes: [ContainerError.Code] = []
        for entry in try fixture.container.pinned() {
            switch entry {
            case .success(let manifest): identifiers.append(manifest.identifier)
            case .failure(let error): codes.append(error.code)
            }
        }
        #expect(identifiers == ["two"])
        #expect(codes == [.corrupt])
    }

    @Test("No identifier moves a pin out of its folder", arguments: ["../../x", "", "/", "a\0b"])
    func hostile(identifier: String) throws {
        let fixture = try ContainerFixture()
        try fixture.container.pin(identifier)
        #expect(try fixture.files(in: "pinned") == [ContentDigest(of: identifier).rawValue])
    }

    @Test("Forgetting removes only the manifest, the pin and the result with the identifier")
    func forget() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one", text: "own")
        let other = try fixture.publish("two", text: "shared")
        try fixture.container.pin("one")
        try fixture.container.pin("two")
        let display = Display(width: 440, scale: 3)
        #expect(try fixture.container.forget("one"))
        #expect(try fixture.container.manifest(for: "one") == nil)
        #expect(try !fixture.container.isPinned("one"))
        #expect(fixture.container.content(for: "one", on: display).absence == .unknown)
        #expect(try fixture.files(in: "results").count == 1)
        #expect(try pinned(fixture.container) == ["two"])
        #expect(try fixture.container.manifest(for: "two") == other)
        #expect(try !fixture.container.forget("one"))
        // Its renditions are left, unreferenced, for pruning.
        fixture.container.verify { event in
            if case .finding(let finding) = event {
                #expect(finding.code == .unreferencedRendition)
            }
        }
    }

    @Test("Forgetting one of two notifications with the same picture keeps the other complete")
    func forgetShared() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one", text: "picture")
        let other = try fixture.publish("two", text: "picture")
        #expect(try fixture.container.forget("one"))
        #expect(
            fixture.container.result(source: ContentDigest(of: "picture"), settings: "5e77")
                == other)
        let display = Display(width: 440, scale: 3)
        #expect(fixture.container.content(for: "two", on: display).picture != nil)
        fixture.container.verify { event in
            if case .finding(let finding) = event { Issue.record("\(finding)") }
        }
    }

    @Test("A notification whose manifest is damaged can be forgotten")
    func forgetDamaged() throws {
        let fixture = try ContainerFixture()
        try fixture.publish("one")
        try fixture.write("{", to: fixture.manifestFile("one"))
        #expect(try fixture.container.forget("one"))
        #expect(try fixture.container.manifest(for: "one") == nil)
    }
}
