/// A way to authenticate a ciphertext while it arrives, and to decrypt any part of it afterwards.
///
/// ``CounterDecryption``, ``ChainedDecryption`` and ``GaloisDecryption`` are the schemes of messengers.
/// An app implements the protocol for another one. Values hold keys; they are never written or logged.
public protocol StreamDecryption: Sendable {
    /// Starts the authentication of one ciphertext.
    ///
    /// - Returns: The authenticator, which one thread at a time uses.
    /// - Throws: `DecryptionError` with the code `invalidKey` for keys of a wrong length.
    func makeAuthenticator() throws(DecryptionError) -> sending any CiphertextAuthenticator
}

/// The authentication of one ciphertext, in one pass.
public protocol CiphertextAuthenticator: AnyObject {
    /// Adds the next bytes of the ciphertext, in parts of any length.
    ///
    /// - Throws: `DecryptionError` for a ciphertext that cannot be authentic.
    func update(_ bytes: UnsafeRawBufferPointer) throws(DecryptionError)

    /// Verifies the whole ciphertext; called once, after the last byte.
    ///
    /// - Parameter ciphertext: The stored ciphertext, for parts that have to be read again.
    /// - Returns: The access to the plaintext.
    /// - Throws: `DecryptionError` with the code `notAuthentic` unless every byte is the sender's.
    func finish(_ ciphertext: Ciphertext) throws(DecryptionError) -> any PlaintextWindow
}

/// Random access to the plaintext of an authenticated ciphertext.
public protocol PlaintextWindow: Sendable {
    /// Length of the plaintext, in bytes.
    var length: Int { get }

    /// Decrypts bytes at an offset of the plaintext, from any thread.
    ///
    /// - Parameters:
    ///   - buffer: Receives the plaintext.
    ///   - offset: The offset of its first byte.
    ///   - ciphertext: The stored ciphertext.
    /// - Returns: The number of bytes; less than the buffer's length near the end, and 0 only there.
    /// - Throws: `DecryptionError` with the code `storage` for an unreadable file.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int, of ciphertext: Ciphertext
    ) throws(DecryptionError) -> Int
}

extension PlaintextWindow {
    /// The part of a buffer that a read at an offset can fill.
    func part(
        of buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) -> UnsafeMutableRawBufferPointer {
        let count = offset >= 0 && offset < length ? min(buffer.count, length - offset) : 0
        return UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    }
}
