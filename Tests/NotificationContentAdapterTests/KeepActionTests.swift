import AttachmentContainer
import Foundation
import NotificationContentAdapter
import Testing

@Suite("The action that keeps a picture", .timeLimit(.minutes(1)))
struct KeepActionTests {
    private let action = KeepAction(identifier: "keep", keepTitle: "Keep", releaseTitle: "Let go")

    private func response(_ action: String, to identifier: String) -> ReceivedResponse {
        ReceivedResponse(
            action: action,
            notification: ReceivedNotification(identifier: identifier, date: Date()))
    }

    /// Pictures of two notifications in a container, and whether each is kept.
    private struct Fixture {
        let container: SharedContainer

        func kept() throws -> [String] {
            try ["earlier", "latest"].filter { try container.isPinned($0) }
        }

        static func with(_ body: (Fixture) throws -> Void) throws {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("thimble-keep-\(UUID().uuidString)", isDirectory: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let container = try SharedContainer.create(at: folder)
            let colour = Colour(red: 1, green: 2, blue: 3)
            for identifier in ["earlier", "latest"] {
                try Publication(in: container).commit(
                    Manifest(
                        identifier: identifier,
                        source: Manifest.Source(
                            format: "wav", coding: "pcm", size: .zero, bytes: ByteCount(1),
                            sha256: ContentDigest(of: "a")),
                        settings: "s", renditions: [], contentSizeRatio: 1,
                        placeholder: ThumbHash(uniform: colour), averageColour: colour,
                        rung: "passed-through"))
            }
            try body(Fixture(container: container))
        }
    }

    @Test("It keeps the picture of the response's notification, and no other, and releases it")
    func toggled() throws {
        try Fixture.with { fixture in
            let container = fixture.container
            #expect(action.title(for: "earlier", in: container) == "Keep")
            #expect(action.handles(response("keep", to: "earlier"), in: container))
            let kept = try fixture.kept()
            #expect(kept == ["earlier"])
            #expect(action.title(for: "earlier", in: container) == "Let go")
            #expect(action.title(for: "latest", in: container) == "Keep")
            #expect(action.handles(response("keep", to: "earlier"), in: container))
            let released = try fixture.kept()
            #expect(released.isEmpty)
        }
    }

    @Test("Other actions are left to the app, and without a container nothing is kept")
    func others() throws {
        try Fixture.with { fixture in
            #expect(!action.handles(response("reply", to: "earlier"), in: fixture.container))
            #expect(action.handles(response("keep", to: "earlier"), in: nil))
            let kept = try fixture.kept()
            #expect(kept.isEmpty)
        }
    }
}
