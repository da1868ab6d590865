import AttachmentContainer
import AttachmentModel
import Foundation
import Logging
import NotificationDelivery
import NotificationPayload
import Testing

@Suite("Private texts", .timeLimit(.minutes(1)))
struct PrivacyTests {
    @Test("Logs and reasons contain no texts, identifiers or paths of the notification")
    func silent() async throws {
        let fixture = try StageFixture()
        defer { fixture.remove() }
        let lines = Lock<[String]>([])
        let processor = ScriptedProcessor { request throws(AttachmentError) in
            if request.path.hasSuffix("good") { return try fixture.publish(request) }
            throw AttachmentError(.late, file: request.path, reason: "on purpose")
        }
        let stage = try DeliveryStage(
            container: fixture.container, processor: processor,
            logger: Logger(label: "test") { _ in
                var handler = RecordingHandler { line in lines.withLock { $0.append(line) } }
                handler.logLevel = .trace
                return handler
            })
        let secrets = ["secret identifier", "secret title", "secret body", "secret-file"]
        var reasons: [DeliveryReason] = []
        for (name, bytes) in [
            ("secret-file-good", Sample.jpeg()), ("secret-file", Sample.jpeg()),
            ("secret-file-other", Sample.ascii("secret body")), ("secret-file-none", nil),
        ] {
            let url = fixture.attachments.appending(path: name)
            if let bytes { try fixture.write(bytes, to: name) }
            let notification = NotificationContent(
                identifier: secrets[0], title: NotificationText(secrets[1]),
                body: NotificationText(secrets[2]))
            let answer = await stage.deliver(
                DeliveryRequest(notification, attachment: .file(url)))
            reasons += answer.reasons
            #expect(answer.notification.title == notification.title)
        }
        // Log lines follow the answer.
        try await fixture.eventually("all answers are logged") {
            lines.withLock { $0.filter { $0.contains("answered") }.count } == 4
        }
        let texts =
            lines.withLock(\.self) + reasons.map(\.description) + reasons.map { "\($0)" }
        #expect(!reasons.isEmpty)
        for secret in secrets { #expect(!texts.contains { $0.contains(secret) }) }
        let key = ContentDigest(of: secrets[0]).rawValue
        #expect(lines.withLock { $0.contains { $0.contains(key) } })
    }
}

/// Passes every line with its metadata to a closure.
private struct RecordingHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    let record: @Sendable (String) -> Void

    init(_ record: @escaping @Sendable (String) -> Void) {
        self.record = record
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        record("\(event.message) \(event.metadata ?? [:])")
    }
}
