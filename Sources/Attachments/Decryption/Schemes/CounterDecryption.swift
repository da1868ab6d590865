import AttachmentContainer
public import Foundation

/// AES in counter mode (NIST SP 800-38A, 6.5), authenticated by the SHA-256 digest of the ciphertext.
///
/// Attachments of Matrix use it: ``init(matrixFile:)``.
public struct CounterDecryption: StreamDecryption {
    private let key: [UInt8]
    private let counter: [UInt8]
    private let digest: ContentDigest

    /// Creates a decryption.
    ///
    /// - Parameters:
    ///   - key: The AES key, of 16, 24 or 32 bytes.
    ///   - counter: The initial counter block, of 16 bytes; all 128 bits count.
    ///   - digest: The SHA-256 digest of the ciphertext, of 32 bytes, from a trusted source.
    /// - Throws: `DecryptionError` with the code `invalidKey` for another length.
    public init(key: Data, counter: Data, digest: Data) throws(DecryptionError) {
        self.key = try key.bytes("the key", [16, 24, 32])
        self.counter = try counter.bytes("the initial counter", [16])
        self.digest = try ContentDigest(sha256: digest)
    }

    /// Creates the decryption of a sealed rendition, whose file has the digest.
    init(_ seal: Manifest.Rendition.Seal, digest: ContentDigest) throws(DecryptionError) {
        key = try seal.key.bytes("the key", [32])
        counter = try seal.counter.bytes("the initial counter", [BlockCipher.blockBytes])
        self.digest = digest
    }

    /// Starts the authentication of one ciphertext.
    public func makeAuthenticator() throws(DecryptionError) -> sending any CiphertextAuthenticator {
        Authenticator(cipher: BlockCipher(.counter, key: key), counter: counter, digest: digest)
    }

    private final class Authenticator: CiphertextAuthenticator {
        private let cipher: BlockCipher
        private let counter: [UInt8]
        private let digest: ContentDigest
        private var hasher: ContentHasher? = ContentHasher()

        init(cipher: BlockCipher, counter: [UInt8], digest: ContentDigest) {
            (self.cipher, self.counter, self.digest) = (cipher, counter, digest)
        }

        func update(_ bytes: UnsafeRawBufferPointer) { hasher?.update(bytes) }

        func finish(_ ciphertext: Ciphertext) throws(DecryptionError) -> any PlaintextWindow {
            guard hasher.take()?.finalize() == digest else { throw .wrongDigest }
            return CounterWindow(cipher: cipher, counter: counter, length: ciphertext.length)
        }
    }
}
