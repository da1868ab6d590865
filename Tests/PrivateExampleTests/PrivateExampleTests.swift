import AttachmentContainer
import AttachmentDecryption
import Foundation
import NotificationAdapters
import NotificationDelivery
import NotificationPayload
import OriginServer
import Testing

@testable import PrivateExample

@Suite("The example of a messenger", .serialized, .timeLimit(.minutes(2)))
struct PrivateExampleTests {
    private let rehearsal: Rehearsal

    init() throws { rehearsal = try Rehearsal() }

    /// Expects the decrypted texts, a typed reason, and nothing in the container.
    private func expectTextsOnly(_ answer: DeliveryAnswer, _ code: String) throws {
        #expect(answer.outcome.kind == .withoutPicture && answer.picture == nil)
        #expect(answer.notification.body?.text == "Look what I found")
        #expect(answer.reasons.first?.code.rawValue == code)
        #expect(try rehearsal.container.manifest(for: "m-1") == nil)
    }

    @Test("An encrypted payload puts an encrypted HEIC behind a token into the container")
    func delivered() async throws {
        let photograph = try Rehearsal.photograph()
        let payload = try rehearsal.payload(rehearsal.upload(photograph))
        for secret in ["Mira", "origin", Rehearsal.token, "127.0.0.1"] {
            #expect(payload.range(of: Data(secret.utf8)) == nil)
        }
        let answer = try await rehearsal.deliver(payload)
        #expect(answer.outcome.kind == .rendition, "\(answer.reasons)")
        #expect(answer.notification.title?.text == "Mira")
        #expect(answer.notification.body?.text == "Look what I found")
        #expect(answer.picture != nil)
        let container = rehearsal.container
        let manifest = try #require(try container.manifest(for: "m-1"))
        #expect(manifest.source.bytes == ByteCount(photograph.count))
        #expect(manifest.source.size == PixelSize(width: 4032, height: 3024))
        #expect(manifest.rendition(.expanded)?.size.width == 1320)
        #expect(manifest.rendition(.banner) != nil)
        for rendition in manifest.renditions {
            let file = try Data(contentsOf: container.url(of: rendition))
            #expect(ContentDigest(of: file) == rendition.sha256)
        }
        #expect(rehearsal.origin.requests.count == 1)
    }

    @Test("With another key the push arrives as it was sent, and nothing is requested")
    func otherKey() async throws {
        let payload = try rehearsal.payload(
            rehearsal.upload(Data("picture".utf8)), key: Data(1..<33))
        let answer = try await rehearsal.deliver(payload)
        #expect(answer.notification.body?.text == "Open Messenger to read it")
        #expect(answer.reasons.first?.code.rawValue == "decryption-not-authentic")
        #expect(rehearsal.origin.requests == [])
        #expect(try rehearsal.container.manifest(for: "m-1") == nil)
    }

    @Test("With another token, or a changed file, the texts arrive without a picture")
    func refused() async throws {
        let photograph = try Rehearsal.photograph()
        let denied = try rehearsal.payload(rehearsal.upload(photograph, token: "another"))
        try expectTextsOnly(try await rehearsal.deliver(denied), "download-refused")
        let changed = try rehearsal.payload(
            rehearsal.upload(photograph, changing: { $0[$0.count / 2] ^= 1 }))
        try expectTextsOnly(try await rehearsal.deliver(changed), "decryption-not-authentic")
    }

    @Test("A payload without a message, and one of another conversation, are typed faults")
    func faults() throws {
        #expect(throws: MessageFault.malformed) { try Message(of: ["aps": [:]]) { $0.sealed } }
        let payload = try rehearsal.payload(rehearsal.upload(Data("picture".utf8)))
        var userInfo = try #require(
            try JSONSerialization.jsonObject(with: payload) as? [String: Any])
        var message = try #require(userInfo["message"] as? [String: Any])
        message["conversation"] = "c-8"
        userInfo["message"] = message
        let error = #expect(throws: DecryptionError.self) {
            try Message(of: userInfo) { try rehearsal.open($0) }
        }
        #expect(error?.code == .notAuthentic)
    }

    @Test("The payload of the example opens with its key")
    func payload() throws {
        let file = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../Examples/Private/payload.json").standardized
        let payload = try Data(contentsOf: file)
        let userInfo = try #require(
            try JSONSerialization.jsonObject(with: payload) as? [String: Any])
        let message = try Message(of: userInfo) { try rehearsal.open($0) }
        #expect(message.sender == "Mira")
        #expect(message.picture?.url.host == "files.example.org")
        #expect(message.picture?.token == Rehearsal.token)
    }
}
