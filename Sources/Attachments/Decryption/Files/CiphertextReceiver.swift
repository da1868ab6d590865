import AttachmentContainer
package import AttachmentModel
package import Foundation

/// Stores a ciphertext that arrives in parts, and authenticates it meanwhile.
///
/// The file has no name from its beginning, so nothing is left behind, however this process ends.
package final class CiphertextReceiver: Sendable {
    private struct State: ~Copyable {
        let authenticator: any CiphertextAuthenticator
        var length = 0
        var hasher: ContentHasher? = ContentHasher()
    }

    private let file: OwnedDescriptor
    private let state: Lock<State>

    /// Creates an empty file in a folder.
    package init(
        _ decryption: any StreamDecryption, in folder: URL
    ) throws(DecryptionError) {
        state = Lock(State(authenticator: try decryption.makeAuthenticator()))
        file = try .nameless(in: folder.path)
    }

    /// Adds the next bytes of the ciphertext.
    package func append(_ bytes: Data) throws(DecryptionError) {
        try state.withLock { state throws(DecryptionError) in
            let result = bytes.withUnsafeBytes {
                [file, authenticator = state.authenticator] bytes in
                Result { () throws(DecryptionError) in
                    try file.append(bytes)
                    try authenticator.update(bytes)
                }
            }
            try result.get()
            bytes.withUnsafeBytes { state.hasher?.update($0) }
            state.length += bytes.count
        }
    }

    /// Verifies the whole ciphertext, and returns its plaintext.
    ///
    /// No plaintext is available before.
    package func finish() throws(DecryptionError) -> any Plaintext {
        try state.withLock { state throws(DecryptionError) in
            let ciphertext = Ciphertext(file, length: state.length)
            let window = try state.authenticator.finish(ciphertext)
            let digest = state.hasher.take()?.finalize()
            return DecryptedFile(ciphertext, window, identity: .ofCiphertext(digest))
        }
    }
}

extension ContentDigest {
    /// The identity of a picture with this ciphertext.
    ///
    /// It is no digest of a file, so that the ciphertext itself, sent as a picture, is another one.
    fileprivate static func ofCiphertext(_ digest: ContentDigest?) -> ContentDigest {
        ContentDigest(of: "ciphertext \(digest?.rawValue ?? "")")
    }
}

/// An authenticated ciphertext, decrypted where it is read.
final class DecryptedFile: Plaintext {
    private let ciphertext: Ciphertext
    private let window: any PlaintextWindow
    let identity: ContentDigest

    init(_ ciphertext: Ciphertext, _ window: any PlaintextWindow, identity: ContentDigest) {
        (self.ciphertext, self.window, self.identity) = (ciphertext, window, identity)
    }

    var length: Int { window.length }

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(OpenFile.ReadFailure) -> Int {
        do throws(DecryptionError) {
            return try window.read(into: buffer, at: offset, of: ciphertext)
        } catch {
            throw OpenFile.ReadFailure(code: EIO)
        }
    }
}
