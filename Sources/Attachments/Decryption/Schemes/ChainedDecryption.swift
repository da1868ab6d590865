import AttachmentContainer
public import Foundation

/// AES in cipher block chaining mode (NIST SP 800-38A, 6.2) with PKCS #7 padding (RFC 5652, 6.3),
/// authenticated by HMAC-SHA-256.
///
/// The file is the initial vector of 16 bytes, the blocks, and the code of 32 bytes over both, as for
/// attachments of Signal.
public struct ChainedDecryption: StreamDecryption {
    private static let codeBytes = 32

    private let key: [UInt8]
    private let authenticationKey: [UInt8]
    private let digest: ContentDigest?
    private let length: Int?

    /// Creates a decryption.
    ///
    /// - Parameters:
    ///   - key: The AES key, of 16, 24 or 32 bytes.
    ///   - authenticationKey: The key of the code, of 32 bytes.
    ///   - digest: The SHA-256 digest of the whole file, of 32 bytes. The default is nil: the code alone
    ///     authenticates the file.
    ///   - length: The length of the picture, in bytes, if the sender appended bytes to hide it. The
    ///     default is nil: the whole plaintext.
    /// - Throws: `DecryptionError` with the code `invalidKey` for another length.
    public init(
        key: Data, authenticationKey: Data, digest: Data? = nil, length: Int? = nil
    ) throws(DecryptionError) {
        self.key = try key.bytes("the key", [16, 24, 32])
        self.authenticationKey = try authenticationKey.bytes("the authentication key", [32])
        self.digest = if let digest { try ContentDigest(sha256: digest) } else { nil }
        self.length = length
    }

    /// Creates a decryption from a combined key, as in messages of Signal.
    ///
    /// - Parameters:
    ///   - combinedKey: The AES key of 32 bytes, followed by the key of the code.
    ///   - digest: The SHA-256 digest of the whole file.
    ///   - length: The length of the picture, in bytes. The default is nil: the whole plaintext.
    /// - Throws: `DecryptionError` with the code `invalidKey` for another length.
    public init(combinedKey: Data, digest: Data, length: Int? = nil) throws(DecryptionError) {
        let bytes = Data(try combinedKey.bytes("the combined key", [64]))
        try self.init(
            key: bytes.prefix(32), authenticationKey: bytes.suffix(32), digest: digest,
            length: length)
    }

    /// Starts the authentication of one ciphertext.
    public func makeAuthenticator() throws(DecryptionError) -> sending any CiphertextAuthenticator {
        Authenticator(
            cipher: BlockCipher(.chaining, key: key),
            code: try AuthenticationCode(key: authenticationKey), digest: digest, length: length)
    }

    private final class Authenticator: CiphertextAuthenticator {
        private let cipher: BlockCipher
        private let code: AuthenticationCode
        private let digest: ContentDigest?
        private let wanted: Int?
        private var hasher: ContentHasher? = ContentHasher()
        private var end = EndOfStream(count: codeBytes)

        init(cipher: BlockCipher, code: AuthenticationCode, digest: ContentDigest?, length: Int?) {
            (self.cipher, self.code, self.digest, wanted) = (cipher, code, digest, length)
        }

        func update(_ bytes: UnsafeRawBufferPointer) throws(DecryptionError) {
            if digest != nil { hasher?.update(bytes) }
            try end.add(bytes) { part throws(DecryptionError) in try code.update(part) }
        }

        func finish(_ ciphertext: Ciphertext) throws(DecryptionError) -> any PlaintextWindow {
            let chained = ciphertext.length - codeBytes
            guard chained >= 2 * BlockCipher.blockBytes, chained % BlockCipher.blockBytes == 0
            else {
                throw DecryptionError(
                    .malformed, reason: "the file is not a whole number of blocks")
            }
            if let digest, hasher.take()?.finalize() != digest { throw .wrongDigest }
            guard try code.matches(end.bytes) else { throw .wrongTag }
            let blocks = chained - BlockCipher.blockBytes
            var window = ChainedWindow(cipher: cipher, length: blocks)
            window.length = blocks - (try window.padding(of: ciphertext))
            if let wanted {
                guard 0...window.length ~= wanted else {
                    throw DecryptionError(
                        .malformed, reason: "the picture is shorter than the length that was sent")
                }
                window.length = wanted
            }
            return window
        }
    }
}
