public import Foundation

/// AES in Galois/counter mode (NIST SP 800-38D), with a nonce of 12 bytes.
///
/// The file is the ciphertext followed by the tag of 16 bytes. On Apple's platforms, CryptoKit has GCM
/// only for whole messages in memory, so a file has at most 4 MiB there; on Linux any length.
public struct GaloisDecryption: StreamDecryption {
    static let tagBytes = 16

    private let key: [UInt8]
    private let nonce: [UInt8]
    private let context: [UInt8]

    /// Creates a decryption.
    ///
    /// - Parameters:
    ///   - key: The AES key, of 16, 24 or 32 bytes.
    ///   - nonce: The nonce, of 12 bytes, which the sender used only once with the key.
    ///   - context: The additional authenticated data. The default is none.
    /// - Throws: `DecryptionError` with the code `invalidKey` for another length.
    public init(key: Data, nonce: Data, context: Data = Data()) throws(DecryptionError) {
        self.key = try key.bytes("the key", [16, 24, 32])
        self.nonce = try nonce.bytes("the nonce", [12])
        self.context = Array(context)
    }

    /// Starts the authentication of one ciphertext.
    public func makeAuthenticator() throws(DecryptionError) -> sending any CiphertextAuthenticator {
        Authenticator(
            cipher: BlockCipher(.counter, key: key),
            tag: try GaloisTag(key: key, nonce: nonce, context: context),
            // The counter of the first block: J0 for 96 bits, plus one (SP 800-38D, 7.1).
            counter: nonce + [0, 0, 0, 2])
    }

    private final class Authenticator: CiphertextAuthenticator {
        private let cipher: BlockCipher
        private let tag: GaloisTag
        private let counter: [UInt8]
        private var end = EndOfStream(count: tagBytes)

        init(cipher: BlockCipher, tag: GaloisTag, counter: [UInt8]) {
            (self.cipher, self.tag, self.counter) = (cipher, tag, counter)
        }

        func update(_ bytes: UnsafeRawBufferPointer) throws(DecryptionError) {
            try end.add(bytes) { part throws(DecryptionError) in try tag.update(part) }
        }

        func finish(_ ciphertext: Ciphertext) throws(DecryptionError) -> any PlaintextWindow {
            guard ciphertext.length >= tagBytes else {
                throw DecryptionError(.malformed, reason: "the file is shorter than its tag")
            }
            guard try tag.matches(end.bytes) else { throw .wrongTag }
            return CounterWindow(
                cipher: cipher, counter: counter, length: ciphertext.length - tagBytes)
        }
    }
}
