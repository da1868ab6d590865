internal import Foundation
#if canImport(CryptoKit)
    import CryptoKit
#else
    import CCrypto
#endif

/// A message encrypted by AES-256-GCM (NIST SP 800-38D): nonce of 12 bytes, ciphertext, tag of 16 bytes.
///
/// The nonce is random (8.2.2), so one key may seal 2^32 messages (8.3).
enum SealedMessage {
    private static let nonceBytes = 12
    private static let tagBytes = 16

    /// Encrypts a message; nil if the system's library fails.
    static func seal(_ message: Data, by key: SealingKey, for context: String) -> Data? {
        let context = Array(context.utf8)
        let nonce = [UInt8](randomBytes: nonceBytes)
        #if canImport(CryptoKit)
            guard let nonce = try? AES.GCM.Nonce(data: nonce) else { return nil }
            return try? AES.GCM.seal(
                message, using: SymmetricKey(data: key.bytes), nonce: nonce,
                authenticating: context
            ).combined
        #else
            var (bytes, tag) = (Array(message), [UInt8](repeating: 0, count: tagBytes))
            guard
                thimble_gcm_seal(
                    key.bytes, nonce, context, context.count, &bytes, bytes.count, &tag)
            else { return nil }
            return Data(nonce + bytes + tag)
        #endif
    }

    /// Decrypts a message; nil unless every byte and the context are those that the key sealed.
    static func open(_ sealed: Data, by key: SealingKey, for context: String) -> Data? {
        let context = Array(context.utf8)
        guard sealed.count >= nonceBytes + tagBytes else { return nil }
        #if canImport(CryptoKit)
            guard let box = try? AES.GCM.SealedBox(combined: sealed) else { return nil }
            return try? AES.GCM.open(
                box, using: SymmetricKey(data: key.bytes), authenticating: context)
        #else
            let (nonce, tag) = (Array(sealed.prefix(nonceBytes)), Array(sealed.suffix(tagBytes)))
            var bytes = Array(sealed.dropFirst(nonceBytes).dropLast(tagBytes))
            guard
                thimble_gcm_open(
                    key.bytes, nonce, context, context.count, &bytes, bytes.count, tag)
            else { return nil }
            return Data(bytes)
        #endif
    }
}
