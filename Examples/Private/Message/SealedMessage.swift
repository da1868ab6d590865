import Foundation

/// The encrypted part of a payload, under the key `message`.
nonisolated struct SealedMessage {
    /// The nonce of AES-GCM, of 12 bytes.
    let nonce: Data
    /// The ciphertext and its tag of 16 bytes.
    let sealed: Data
    /// The conversation, which the server needs for routing: authenticated, but not encrypted.
    let conversation: String

    /// Reads the payload's own fields; the server that sends the push can read them too.
    ///
    /// - Throws: `MessageFault.malformed` without the three fields.
    init(userInfo: [AnyHashable: Any]) throws(MessageFault) {
        guard let message = userInfo["message"] as? [String: Any],
            let conversation = message["conversation"] as? String,
            let nonce = (message["nonce"] as? String).flatMap({ Data(base64Encoded: $0) }),
            let sealed = (message["sealed"] as? String).flatMap({ Data(base64Encoded: $0) })
        else { throw .malformed }
        (self.nonce, self.sealed, self.conversation) = (nonce, sealed, conversation)
    }
}

/// Reasons for a message that stays as it was received.
nonisolated enum MessageFault: Error {
    /// The payload has no message of this form.
    case malformed
    /// The app has stored no key yet.
    case noKey
    /// The key or the conversation is another one, or the message was changed.
    case notAuthentic
}
