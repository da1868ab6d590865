import AttachmentContainer
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("Pictures that explain a failure", .serialized, .timeLimit(.minutes(1)))
struct ExplanationTests {
    private let fixture: PrivateDeliveryFixture
    private let asked = Lock<[[String]]>([])

    init() throws { fixture = try PrivateDeliveryFixture() }

    /// Delivers a notification whose app asks for an explanation; the drawing is a file of four bytes.
    private func begin(
        within time: Duration = .seconds(20), inlinePicture: InlinePicture? = nil,
        isDrawn: Bool = true,
        findSource: @escaping @Sendable () async throws -> PictureSource?
    ) -> (delivery: RemoteDelivery, answers: Answers) {
        let (notification, asked) = (fixture.notification, asked)
        let folder = fixture.folder.url.appendingPathComponent("incoming")
        return fixture.begin(within: time) {
            var preparation = RemoteDelivery.Preparation(
                notification, inlinePicture: inlinePicture, findSource: findSource)
            preparation.explain = { reasons in
                asked.withLock { $0.append(reasons.map(\.code.rawValue)) }
                guard isDrawn else { return nil }
                let file = folder.appendingPathComponent("drawing.png")
                return (try? Data("drew".utf8).write(to: file)).map { file }
            }
            return preparation
        }
    }

    private func request(status: Int) throws -> (LoopbackServer, PictureSource) {
        let server = try LoopbackServer { _ in .answer(status: status) }
        return (
            server,
            .request(PictureRequest(try server.url("door.jpg"), waitsUntilReady: false))
        )
    }

    @Test("A camera that refuses is explained, and the outcome names no attachment")
    func refused() async throws {
        let (server, source) = try request(status: 500)
        defer { withExtendedLifetime(server) {} }
        let answer = try await begin { source }.answers.first()
        #expect(answer.outcome.kind.rawValue == "explanation")
        #expect(answer.outcome.manifest == nil && answer.avatar == nil)
        #expect(answer.picture?.lastPathComponent == "drawing.png")
        #expect(answer.typeIdentifier == "public.png")
        #expect(answer.notification.attachments.count == 1)
        #expect(answer.note == DeliveryNote(outcome: .explanation, reason: "download-refused"))
        #expect(asked.withLock(\.self) == [["download-refused"]])
        #expect(try fixture.incoming == ["drawing.png"])
    }

    @Test("Without a drawing the notification has no picture, and the reasons stay")
    func none() async throws {
        let (server, source) = try request(status: 403)
        defer { withExtendedLifetime(server) {} }
        let answer = try await begin(isDrawn: false) { source }.answers.first()
        #expect(answer.outcome.kind == .withoutPicture && answer.picture == nil)
        #expect(answer.reasons.map(\.code.rawValue) == ["download-refused"])
        #expect(asked.withLock(\.count) == 1)
    }

    @Test("A picture inside the payload comes before an explanation")
    func inline() async throws {
        let (server, source) = try request(status: 404)
        defer { withExtendedLifetime(server) {} }
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../NotificationPayloadTests/Inline/Golden/chroma-420.txt"
        ).standardized
        let picture = try InlinePicture(
            text: String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines))
        let answer = try await begin(inlinePicture: picture) { source }.answers.first()
        #expect(answer.outcome.kind == .rendition, "\(answer.reasons)")
        #expect(asked.withLock(\.isEmpty))
    }

    @Test("A notification without an expected picture, or with one, is not explained")
    func unneeded() async throws {
        let plain = try await begin { nil }.answers.first()
        #expect(plain.outcome.kind == .withoutPicture && plain.picture == nil)
        let photograph = try fixture.photograph
        let whole = try await begin { .data(photograph) }.answers.first()
        #expect(whole.outcome.kind == .rendition, "\(whole.reasons)")
        #expect(asked.withLock(\.isEmpty))
    }

    @Test("Damaged pictures, late sources and expiry are explained once")
    func others() async throws {
        let damaged = try await begin { .data(Data("no picture".utf8)) }.answers.first()
        #expect(damaged.outcome.kind == .explanation, "\(damaged.reasons)")
        let late = try await begin(within: .seconds(1)) {
            try await Task.sleep(for: .seconds(30))
            return nil
        }.answers.first()
        #expect(late.outcome.kind == .explanation)
        // On a busy machine the stage's own deadline passes first.
        #expect(late.reasons.contains { ["download-late", "deadline"].contains($0.code.rawValue) })
        let isAsked = Lock(false)
        let (delivery, answers) = begin {
            isAsked.withLock { $0 = true }
            try await Task.sleep(for: .seconds(30))
            return nil
        }
        while !isAsked.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        delivery.timeWillExpire()
        #expect(try await answers.first().outcome.kind == .explanation)
        #expect(asked.withLock(\.count) == 3)
    }
}
