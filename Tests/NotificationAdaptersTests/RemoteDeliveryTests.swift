import AttachmentContainer
import NotificationAdapters
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import SampleMedia
import Testing

@Suite("Delivery with a download", .serialized, .timeLimit(.minutes(1)))
struct RemoteDeliveryTests {
    private let folder: TemporaryFolder
    private let container: SharedContainer
    private let notification = NotificationContent(
        identifier: "one", title: NotificationText("Hello"))

    init() throws {
        folder = try TemporaryFolder()
        container = try SharedContainer.create(at: folder.url)
    }

    /// Begins a delivery whose download cannot be rendered, but can be attached as it is.
    private func begin(
        _ source: URL?, published: PublishedRendition? = nil, processing: Duration = .zero,
        within time: Duration = .seconds(20)
    ) throws -> (delivery: RemoteDelivery, answers: Answers) {
        let answers = Answers()
        let delivery = RemoteDelivery(
            of: notification, from: source, published: published, into: container,
            by: loopback,
            through: try DeliveryStage(
                container: container, processor: RefusingProcessor(after: processing)),
            deadline: .now.advanced(by: time)
        ) { answers.add($0) }
        return (delivery, answers)
    }

    private var loopback: AttachmentDownload {
        var settings = DownloadSettings()
        settings.allowsInsecureTransfer = true
        return AttachmentDownload(settings: settings)
    }

    private var photograph: Data {
        get throws {
            try Data(
                contentsOf: URL(fileURLWithPath: #filePath)
                    .appendingPathComponent("../../../Images/still-life-ready.jpg").standardized)
        }
    }

    /// File names in the container's incoming folder.
    private var incoming: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(
                atPath: folder.url.appendingPathComponent("incoming").path)
        }
    }

    @Test("The downloaded file is attached, and the download is removed")
    func downloaded() async throws {
        let photograph = try photograph
        let server = try LoopbackServer { _ in .answer(status: 200, body: photograph) }
        let answer = try await begin(server.url("a")).answers.first()
        let picture = try #require(answer.picture)
        #expect(answer.outcome.kind == .original)
        #expect(answer.typeIdentifier == "public.jpeg")
        #expect(try Data(contentsOf: picture) == photograph)
        #expect(try incoming == [picture.lastPathComponent])
    }

    @Test(
        "A payload is downloaded from its own URL, whatever the note of a server",
        arguments: [
            nil, DeliveryNote(outcome: .withoutPicture, reason: "unavailable"),
            DeliveryNote(outcome: .rendition, rendition: .init(file: "a", type: "public.jpeg")),
        ])
    func noted(note: DeliveryNote?) async throws {
        let photograph = try photograph
        let server = try LoopbackServer { _ in .answer(status: 200, body: photograph) }
        let url = try server.url("a")
        let payload = try APNsPayload(parsing: #"{"fcm_options":{"image":"\#(url)"}}"#.utf8)
        let staged = note.map { payload.adding($0).payload } ?? payload
        let source = staged.content(identifier: "one").remoteAttachment
        #expect(source == url)
        let answer = try await begin(source).answers.first()
        #expect(answer.outcome.kind == .original && answer.picture != nil)
    }

    @Test("A published rendition is kept as it is, under the identifier of the request")
    func published() async throws {
        let photograph = try photograph
        let server = try LoopbackServer { _ in .answer(status: 200, body: photograph) }
        let digest = ContentDigest(of: photograph)
        let file = "\(digest.rawValue.prefix(2))/\(digest.rawValue).jpg"
        let url = try server.url(file)
        let payload = try APNsPayload(parsing: #"{"fcm_options":{"image":"\#(url)"}}"#.utf8)
        let note = DeliveryNote(
            outcome: .rendition, identifier: "the server's own",
            rendition: .init(file: file, type: "public.jpeg"))
        let content = payload.adding(note).payload.content(identifier: "one")
        let published = try #require(PublishedRendition(of: content))
        let answer = try await begin(published.url, published: published).answers.first()
        // The processor refuses everything.
        #expect(answer.outcome.kind == .rendition)
        let manifest = try #require(try container.manifest(for: "one"))
        #expect(manifest.rendition(.expanded)?.sha256 == digest)
        #expect(try incoming == [answer.picture?.lastPathComponent])
    }

    @Test(
        "After a failed download the notification is delivered without a picture, with the reason")
    func failed() async throws {
        let server = try LoopbackServer { _ in .answer(status: 404) }
        let answer = try await begin(server.url("gone")).answers.first()
        #expect(answer.outcome.kind == .withoutPicture)
        #expect(answer.notification.title == notification.title)
        #expect(answer.reasons.map(\.code.rawValue) == ["download-refused"])
        #expect(answer.reasons.first?.message.contains("404") == true)
        #expect(try incoming == [])
    }

    @Test("Without an attachment the notification is answered at once")
    func nothing() async throws {
        let answer = try await begin(nil).answers.first()
        #expect(answer.reasons.map(\.code) == [.noAttachment])
    }

    @Test("A silent server does not delay the answer past the deadline")
    func deadline() async throws {
        let server = try LoopbackServer { _ in .silence }
        let answer = try await begin(server.url("silence"), within: .seconds(1)).answers.first()
        #expect(answer.outcome.kind == .withoutPicture)
        // On a busy machine the stage's own deadline may pass before the download ends.
        let code = try #require(answer.reasons.first?.code.rawValue)
        #expect(["download-late", "deadline"].contains(code))
    }

    @Test("Expiry during the download gives the answer before the call returns")
    func expiryWhileDownloading() async throws {
        let server = try LoopbackServer { _ in .silence }
        let (delivery, answers) = try begin(server.url("silence"))
        try await Task.sleep(for: .milliseconds(100))
        delivery.timeWillExpire()
        let answer = try #require(answers.all.first)
        #expect(answer.outcome.kind == .withoutPicture)
        // The end of the download may be noticed before the expiry.
        let code = try #require(answer.reasons.first?.code.rawValue)
        #expect(["download-late", "expired"].contains(code))
    }

    @Test("Expiry during the processing attaches the original file")
    func expiryWhileProcessing() async throws {
        let photograph = try photograph
        let server = try LoopbackServer { _ in .answer(status: 200, body: photograph) }
        let (delivery, answers) = try begin(server.url("a"), processing: .seconds(20))
        // The download, and a clone in case the processor is late.
        while try incoming.count < 2 { try await Task.sleep(for: .milliseconds(10)) }
        try await Task.sleep(for: .milliseconds(200))
        #expect(answers.all.isEmpty)
        delivery.timeWillExpire()
        let answer = try #require(answers.all.first)
        #expect(answer.outcome.kind == .original)
        let picture = try #require(answer.picture)
        #expect(try Data(contentsOf: picture) == photograph)
    }

    @Test("Expiry answers all deliveries at once, and none is kept afterwards")
    func several() async throws {
        let server = try LoopbackServer { _ in .silence }
        let (underWay, answers) = (DeliveriesUnderWay(), Answers())
        let stage = try DeliveryStage(
            container: container, processor: RefusingProcessor(after: .zero))
        for source in try [server.url("a"), server.url("b"), nil] {
            underWay.begin { ended in
                RemoteDelivery(
                    of: notification, from: source, into: container, by: loopback,
                    through: stage, deadline: .now.advanced(by: .seconds(20))
                ) { answer in
                    answers.add(answer)
                    ended()
                }
            }
        }
        _ = try await answers.first()
        #expect(underWay.count == 2)
        underWay.timeWillExpire()
        #expect(underWay.count == 0)
        #expect(answers.all.count == 3)
        underWay.timeWillExpire()
        #expect(answers.all.count == 3)
    }

    @Test(
        "There is one answer, regardless of the number and time of expiries",
        arguments: [0, 1, 2, 5, 10, 20])
    func once(milliseconds: Int) async throws {
        let photograph = try photograph
        let server = try LoopbackServer { _ in .answer(status: 200, body: photograph) }
        let (delivery, answers) = try begin(server.url("a"))
        await withTaskGroup { group in
            for call in 0..<4 {
                group.addTask {
                    try? await Task.sleep(for: .milliseconds(milliseconds + call))
                    delivery.timeWillExpire()
                }
            }
        }
        let answer = try await answers.first()
        // Time for a second answer, and for the end of the cancelled work.
        try await Task.sleep(for: .milliseconds(300))
        #expect(answers.all.count == 1)
        #expect(try incoming == (answer.picture.map { [$0.lastPathComponent] } ?? []))
    }
}

/// A processor that refuses every attachment after some time.
private struct RefusingProcessor: AttachmentProcessing {
    let time: Duration

    init(after time: Duration) { self.time = time }

    func process(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> ProcessedAttachment {
        try? await Task.sleep(for: time)
        throw AttachmentError(.overCap, file: request.path, reason: "it was not asked to")
    }

    func inspect(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> InspectedAttachment {
        try InspectedAttachment(headerOf: request)
    }
}
