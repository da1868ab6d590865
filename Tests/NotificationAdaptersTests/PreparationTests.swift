import AttachmentContainer
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("Preparing a notification", .serialized, .timeLimit(.minutes(1)))
struct PreparationTests {
    private let fixture: PrivateDeliveryFixture

    init() throws { fixture = try PrivateDeliveryFixture() }

    private var decrypted: NotificationContent {
        NotificationContent(identifier: "one", title: NotificationText("Decrypted"))
    }

    @Test("What the preparation sets is delivered with the picture")
    func prepared() async throws {
        let (notification, photograph) = (decrypted, try fixture.photograph)
        let answer = try await fixture.begin {
            try await Task.sleep(for: .milliseconds(20))
            return .init(notification, source: .data(photograph))
        }.answers.first()
        #expect(answer.outcome.kind == .rendition)
        #expect(answer.notification.title?.text == "Decrypted")
    }

    @Test("A failed preparation delivers the notification as received, with the reason")
    func failed() async throws {
        struct Private: Error {}
        let answer = try await fixture.begin { throw Private() }.answers.first()
        #expect(answer.notification.title?.text == "Encrypted")
        #expect(answer.reasons.map(\.code.rawValue) == ["download-source"])
        let fault = Fault(.payload, "no-session", reason: "there is no session", remedy: "log in")
        let typed = try await fixture.begin { throw DeliveryReason(fault) }.answers.first()
        #expect(typed.reasons.map(\.fault) == [fault])
    }

    @Test("A preparation that never ends and ignores its cancellation delays no answer")
    func endless() async throws {
        let released = Lock<CheckedContinuation<Void, Never>?>(nil)
        let notification = decrypted
        let start = ContinuousClock.now
        let answers = fixture.begin(within: .seconds(4)) {
            await withCheckedContinuation { continuation in
                released.withLock { $0 = continuation }
            }
            return .init(notification, source: nil)
        }.answers
        let answer = try await answers.first()
        #expect(start.duration(to: .now) < .seconds(10))
        #expect(answer.notification.title?.text == "Encrypted")
        #expect(answer.reasons.first?.code.rawValue == "download-late")
        released.withLock { $0 }?.resume()
        try await Task.sleep(for: .milliseconds(50))
        #expect(answers.all.count == 1)
    }

    @Test("Expiry during the preparation gives the notification as received at once")
    func expiry() async throws {
        let notification = decrypted
        let (delivery, answers) = fixture.begin {
            try await Task.sleep(for: .seconds(20))
            return .init(notification, source: nil)
        }
        delivery.timeWillExpire()
        let answer = try #require(answers.all.first)
        #expect(answer.notification.title?.text == "Encrypted")
        delivery.timeWillExpire()
        #expect(answers.all.count == 1)
    }

    @Test("Expiry while the picture arrives delivers the prepared notification")
    func expiryWhileArriving() async throws {
        let server = try LoopbackServer { _ in .silence }
        let (notification, url) = (decrypted, try server.url("silence"))
        let isAsked = Lock(false)
        let (delivery, answers) = fixture.begin {
            isAsked.withLock { $0 = true }
            return .init(notification, source: .request(PictureRequest(url)))
        }
        while !isAsked.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(100))
        delivery.timeWillExpire()
        let answer = try #require(answers.all.first)
        #expect(answer.notification.title?.text == "Decrypted")
        #expect(answer.outcome.kind == .withoutPicture)
    }
}
