import AttachmentDecryption
import Foundation
import NotificationAdapters

/// A decrypted message.
nonisolated struct Message {
    let sender: String
    let text: String
    /// Nil for a message without a picture.
    let picture: Picture?

    /// The place of an encrypted picture, and all that its decryption needs.
    struct Picture {
        let url: URL
        /// The token of this account, which the server of the files asks for.
        let token: String
        /// Key, initial counter and digest, in the form of Matrix attachments.
        let decryption: CounterDecryption
    }

    /// Decrypts the message of a payload.
    ///
    /// - Parameters:
    ///   - userInfo: The payload.
    ///   - open: Authenticates and decrypts the sealed part.
    /// - Throws: `MessageFault`, the error of `open`, or `DecryptionError` for a picture's invalid key.
    init(
        of userInfo: [AnyHashable: Any], opening open: (SealedMessage) throws -> Data
    ) throws {
        let plaintext = try open(SealedMessage(userInfo: userInfo))
        guard let event = try? JSONSerialization.jsonObject(with: plaintext) as? [String: Any],
            let sender = event["sender"] as? String, let text = event["text"] as? String
        else { throw MessageFault.malformed }
        (self.sender, self.text) = (sender, text)
        picture = try (event["picture"] as? [String: Any]).map { try Picture($0) }
    }
}

nonisolated extension Message.Picture {
    fileprivate init(_ picture: [String: Any]) throws {
        guard let file = picture["file"] as? [String: Any],
            let url = (file["url"] as? String).flatMap({ URL(string: $0) }),
            let token = picture["token"] as? String
        else { throw MessageFault.malformed }
        (self.url, self.token) = (url, token)
        decryption = try CounterDecryption(matrixFile: file)
    }

    /// The request with its token, whose answer is decrypted while decoders read it.
    var source: PictureSource {
        var source = PictureSource.request(
            PictureRequest(url, headers: ["Authorization": "Bearer \(token)"]))
        source.decryption = decryption
        return source
    }
}
