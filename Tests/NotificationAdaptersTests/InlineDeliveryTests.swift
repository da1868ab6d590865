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
    static var picture: InlinePicture {
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

    private var stage: DeliveryStage {
        get throws {
            var rendering = ProcessingSettings()
            // The cap is on the process of all tests.
            rendering.cap = MemoryCap(.mebibytes(1024))
            return try DeliveryStage(
                container: container,
                processor: try AttachmentProcessor(settings: rendering, container: container))
        }
    }

    private var download: AttachmentDownload {
        var settings = DownloadSettings()
        settings.allowsInsecureTransfer = true
        return AttachmentDownload(settings: settings)
    }

    /// File names in the container's incoming folder.
    private var incoming: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: folder.url.appendingPathComponent("incoming").path)
        }
    }

    private func answer(
        _ source: URL?, _ picture: InlinePicture?
    ) async throws -> DeliveryAnswer {
        let answers = Answers()
        let delivery = RemoteDelivery(
            of: notification, from: source, inlinePicture: picture, into: container,
            by: download, through: try stage, deadline: .now.advanced(by: .seconds(20))
        ) { answers.add($0) }
        defer { withExtendedLifetime(delivery) {} }
        return try await answers.first()
    }

    /// Expects no file in the incoming folder but the answer's, once the stage has ended.
    private func expectOnly(_ answer: DeliveryAnswer) async throws {
        let expected = [answer.picture?.lastPathComponent].compactMap(\.self)
        for _ in 0..<500 where try incoming != expected {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try incoming == expected)
    }

    /// Begins the delivery of a notification that is prepared with the picture inside.
    private func begin(
        within time: Duration = .seconds(20),
        findSource: @escaping @Sendable () async throws -> PictureSource?
    ) throws -> (delivery: RemoteDelivery, answers: Answers) {
        let (answers, picture) = (Answers(), try Self.picture)
        let delivery = RemoteDelivery(
            of: notification, into: container, by: download, through: try stage,
            deadline: .now.advanced(by: time),
            preparing: {
                .init(
                    NotificationContent(identifier: "one", title: NotificationText("Decrypted")),
                    inlinePicture: picture, findSource: findSource)
            },
            completion: { answers.add($0) })
        return (delivery, answers)
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
        #expect(try incoming == [try #require(answer.picture).lastPathComponent])
    }

    @Test("If the app finds no source, or fails to, the picture inside is attached")
    func withoutSource() async throws {
        struct Private: Error {}
        for isFailure in [false, true] {
            let answer = try await begin {
                if isFailure { throw Private() }
                return nil
            }.answers.first()
            #expect(answer.outcome.kind == .rendition, "\(answer.reasons)")
            #expect(answer.notification.title?.text == "Decrypted")
            #expect(
                answer.reasons.map(\.code.rawValue) == (isFailure ? ["download-source"] : []))
            let attached = try #require(answer.picture)
            try await expectOnly(answer)
            try FileManager.default.removeItem(at: attached)
        }
    }

    @Test("A search that is too slow delivers the prepared notification, and leaves no file")
    func slowSearch() async throws {
        let answers = try begin(within: .seconds(2)) {
            try await Task.sleep(for: .seconds(30))
            return nil
        }.answers
        let answer = try await answers.first()
        #expect(answer.notification.title?.text == "Decrypted")
        #expect(answer.reasons.contains { $0.code.rawValue == "download-late" })
        // On a busy machine the picture inside may not be ready in the half second that is left.
        try await expectOnly(answer)
        #expect(answers.all.count == 1)
    }

    @Test("Expiry during the search delivers the prepared notification, and leaves no file")
    func expiry() async throws {
        let isAsked = Lock(false)
        let (delivery, answers) = try begin {
            isAsked.withLock { $0 = true }
            try await Task.sleep(for: .seconds(30))
            return nil
        }
        while !isAsked.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        delivery.timeWillExpire()
        let answer = try await answers.first()
        #expect(answer.notification.title?.text == "Decrypted")
        #expect(answer.reasons.contains { $0.code.rawValue == "download-late" })
        try await expectOnly(answer)
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
