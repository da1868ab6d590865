import AttachmentContainer
import AttachmentDecryption
import Dispatch
import Foundation
import NotificationAdapters
import NotificationDelivery
import Testing

/// Without back-pressure, what a slow receiver has not stored yet would count toward the cap.
@Suite("Servers that are faster than the receiver", .serialized, .timeLimit(.minutes(1)))
struct BackPressureTests {
    private let fixture: PrivateDeliveryFixture

    init() throws { fixture = try PrivateDeliveryFixture() }

    @Test("A server waits while its bytes cannot be stored, and the limit still ends the transfer")
    func waiting() async throws {
        let (sent, gate) = (Lock(0), DispatchSemaphore(value: 0))
        let server = try LoopbackServer { _ in
            .endless { sent.withLock { $0 += 64 << 10 } }
        }
        var source = PictureSource.request(PictureRequest(try server.url("endless")))
        source.decryption = GatedDecryption(gate: gate)
        let ready = source
        let notification = fixture.notification
        let (delivery, answers) = fixture.begin { .init(notification, source: ready) }
        defer { withExtendedLifetime(delivery) {} }
        // More than the buffers of two sockets and the little that arrives without a place.
        let tooMuch = 32 << 20
        var now = 0
        for _ in 0..<4 where now < tooMuch {
            try await Task.sleep(for: .milliseconds(500))
            now = sent.withLock(\.self)
        }
        #expect(0 < now && now < tooMuch)
        #expect(answers.all.isEmpty)
        gate.signal()
        let answer = try await answers.first()
        #expect(answer.reasons.first?.code.rawValue == "download-too-large")
        #expect(try fixture.incoming == [])
    }
}

/// A scheme whose first part waits until a gate is open.
private struct GatedDecryption: StreamDecryption {
    let gate: DispatchSemaphore

    func makeAuthenticator() throws(DecryptionError) -> sending any CiphertextAuthenticator {
        Authenticator(gate: gate)
    }

    private final class Authenticator: CiphertextAuthenticator {
        private let gate: DispatchSemaphore
        private var isOpen = false

        init(gate: DispatchSemaphore) { self.gate = gate }

        func update(_ bytes: UnsafeRawBufferPointer) throws(DecryptionError) {
            if !isOpen { gate.wait() }
            isOpen = true
        }

        func finish(_ ciphertext: Ciphertext) throws(DecryptionError) -> any PlaintextWindow {
            throw DecryptionError(.notAuthentic, reason: "the test has no picture")
        }
    }
}
