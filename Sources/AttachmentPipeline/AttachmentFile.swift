import AttachmentContainer
import Crypto

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An attachment open for reading. It is never written to; closing comes with the end of its life.
struct AttachmentFile: ~Copyable {
    /// The path as the caller gave it.
    let path: String
    /// Open for reading, seekable.
    let descriptor: CInt
    /// The length of the file when it was opened.
    let length: ByteCount

    /// Opens a regular file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: `AttachmentError` with code `unreadable` when there is no regular file that this
    ///   process may read, `empty` when it has no bytes.
    init(path: String) throws(AttachmentError) {
        // Without O_NONBLOCK the opening of a FIFO waits for a writer that may never come.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw AttachmentError(.unreadable, file: path, reason: "cannot be opened: \(reason)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw AttachmentError(.unreadable, file: path, reason: "is not a regular file")
        }
        guard status.st_size > 0 else {
            close(descriptor)
            throw AttachmentError(.empty, file: path, reason: "has no bytes")
        }
        self.path = path
        self.descriptor = descriptor
        length = ByteCount(Int(status.st_size))
    }

    deinit { close(descriptor) }

    /// The SHA-256 of the whole file, read 64 KiB at a time.
    ///
    /// - Returns: 64 lowercase hexadecimal digits.
    /// - Throws: `AttachmentError` with code `unreadable` when a read fails.
    borrowing func sha256() throws(AttachmentError) -> String {
        var hash = SHA256()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var offset = 0
        while true {
            let count = buffer.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let reason = String(cString: strerror(errno))
                throw AttachmentError(.unreadable, file: path, reason: "cannot be read: \(reason)")
            }
            guard count > 0 else { return hash.finalize().hexadecimal }
            buffer.withUnsafeBytes { hash.update(bufferPointer: .init(rebasing: $0[..<count])) }
            offset += count
        }
    }
}

extension Sequence<UInt8> {
    /// Two lowercase hexadecimal digits a byte.
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        let text = flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
