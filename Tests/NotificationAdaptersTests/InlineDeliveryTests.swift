import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import Testing

/// The stage decodes the picture as it decodes a download: by dav1d here, by ImageIO on a phone.
@Suite("Delivery of a picture inside the payload", .serialized, .timeLimit(.minutes(1)))
struct InlineDeliveryTests {
    private let folder: TemporaryFolder
    private let container: SharedContainer
    private let notification = NotificationContent(
        identifier: "one", title: NotificationText("Hello"))

    init() throws {
        folder = try TemporaryFolder()
        container = try SharedContainer.create(at: folder.url)
    }

    /// A drawing of 95 × 64 pixels.
    private static var picture: InlinePicture {
        get throws {
            let file = URL(fileURLWithPath: #filePath)
                .appendingPathComponent(
                    "../../NotificationPayloadTests/Inline/Golden/chroma-420.txt"
                ).standardized
            return try InlinePicture(
                text: String(contentsOf: file, encoding: .utf8)
                    .trimmingCharacters(in: .newlines))
        }
    }

    private func answer(
        _ source: URL?, _ picture: InlinePicture?
    ) async throws -> DeliveryAnswer {
        var settings = DownloadSettings()
        settings.allowsInsecureTransfer = true
        var rendering = ProcessingSettings()
        // The cap is on the process of all tests.
        rendering.cap = MemoryCap(.mebibytes(1024))
        let stage = try DeliveryStage(
            container: container,
            processor: try AttachmentProcessor(settings: rendering, container: container))
        let answers = Answers()
        let delivery = RemoteDelivery(
            of: notification, from: source, inlinePicture: picture, into: container,
            by: AttachmentDownload(settings: settings), through: stage,
            deadline: .now.advanced(by: .seconds(20))
        ) { answers.add($0) }
        defer { withExtendedLifetime(delivery) {} }
        return try await answers.first()
    }

    @Test("Without a location, the picture inside becomes an attachable JPEG and renditions")
    func withoutLocation() async throws {
        let answer = try await answer(nil, try Self.picture)
        #expect(answer.outcome.kind == .rendition, "\(answer.reasons)")
        let attached = try #require(answer.picture)
        #expect(answer.typeIdentifier == "public.jpeg")
        #expect(try Data(contentsOf: attached).prefix(2) == Data([0xFF, 0xD8]))
        let manifest = try #require(answer.outcome.manifest)
        #expect(manifest.rendition(.expanded)?.size == PixelSize(width: 95, height: 64))
        #expect(answer.reasons.isEmpty)
    }

    @Test("After a failed download, the picture inside is attached, and the failure is a reason")
    func failedDownload() async throws {
        let server = try LoopbackServer { _ in .answer(status: 404, body: Data()) }
        let answer = try await answer(server.url("a"), try Self.picture)
        #expect(answer.outcome.kind == .rendition)
        #expect(answer.picture != nil)
        #expect(answer.reasons.first?.fault.domain == .download, "\(answer.reasons)")
        let incoming = try FileManager.default.contentsOfDirectory(
            atPath: folder.url.appendingPathComponent("incoming").path)
        #expect(incoming == [try #require(answer.picture).lastPathComponent])
    }

    @Test("A picture inside whose pixels are damaged leaves the notification without a picture")
    func damaged() async throws {
        let damaged = try InlinePicture(bytes: [1, 6, 94, 63, 0, 0, 0, 0])
        let answer = try await answer(nil, damaged)
        #expect(answer.outcome.kind == .withoutPicture)
        #expect(answer.picture == nil && !answer.reasons.isEmpty)
    }

    @Test("A notification with neither is delivered as it is")
    func neither() async throws {
        let answer = try await answer(nil, nil)
        #expect(answer.outcome.kind == .withoutPicture)
        #expect(answer.reasons.map(\.code) == [.noAttachment])
    }
}
