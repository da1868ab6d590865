public import AttachmentContainer
package import AttachmentModel
public import Foundation

extension DisplayContent.Picture {
    /// Reads the picture whole, and decrypts a sealed one.
    ///
    /// A content extension shows sealed pictures by itself. This is for widgets, apps, and views of their
    /// own.
    ///
    /// - Returns: The file: JPEG, PNG or GIF.
    /// - Throws: `DecryptionError` with the code `notAuthentic` for a changed file, and `storage` for a
    ///   missing one.
    public func data() throws(DecryptionError) -> Data {
        guard let plaintext = try plaintext() else {
            do {
                return try Data(contentsOf: url)
            } catch {
                throw DecryptionError(.storage, reason: "the picture cannot be read")
            }
        }
        var data = Data(count: plaintext.length)
        let count = data.withUnsafeMutableBytes { bytes in
            try? OpenFile(plaintext).fill(bytes, at: 0)
        }
        guard count == data.count else {
            throw DecryptionError(.storage, reason: "the picture cannot be read")
        }
        return data
    }

    /// Authenticates a sealed file, and returns its plaintext, decrypted where it is read; nil for a file
    /// in the clear.
    ///
    /// Files of the container are renamed into place and never changed afterwards.
    package func plaintext() throws(DecryptionError) -> (any Plaintext)? {
        guard let seal else { return nil }
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .storing("opened", errno) }
        let file = OwnedDescriptor(descriptor)
        let authenticator = try CounterDecryption(seal, digest: sha256).makeAuthenticator()
        var (block, length) = ([UInt8](repeating: 0, count: 64 << 10), 0)
        while true {
            let count = pread(descriptor, &block, block.count, off_t(length))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .storing("read", errno) }
            guard count > 0 else { break }
            let result = block.withUnsafeBytes { bytes in
                Result { () throws(DecryptionError) in
                    try authenticator.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                }
            }
            try result.get()
            length += count
        }
        let ciphertext = Ciphertext(file, length: length)
        return DecryptedFile(ciphertext, try authenticator.finish(ciphertext), identity: sha256)
    }
}
