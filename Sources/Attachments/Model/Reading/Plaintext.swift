package import AttachmentContainer

/// The plaintext of an encrypted file, decrypted where it is read.
package protocol Plaintext: AnyObject, Sendable {
    /// Length of the plaintext, in bytes.
    var length: Int { get }

    /// Identity of the encrypted file, which tells nothing about the plaintext.
    var identity: ContentDigest { get }

    /// Reads bytes at an offset, from any thread.
    ///
    /// Returns fewer bytes than requested near the end, and 0 only there.
    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(OpenFile.ReadFailure) -> Int
}
