package import AttachmentContainer
internal import Crypto
package import Foundation

/// An attachment open for reading.
///
/// It is never written to; closing comes with the end of its life.
package final class AttachmentFile: Sendable {
    /// The path as the caller gave it.
    package let path: String
    /// Open for reading, seekable.
    package let descriptor: CInt
    /// The length of the file when it was opened.
    package let length: ByteCount

    /// Opens a regular file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: `AttachmentError` with code `unreadable` when there is no regular file that this
    ///   process may read, `empty` when it has no bytes.
    package convenience init(path: String) throws(AttachmentError) {
        try self.init(opening: Array(path.utf8CString), path: path)
    }

    /// Opens a regular file whose name may not be UTF-8.
    ///
    /// - Parameters:
    ///   - name: The file's path as the system has it, with its terminating zero.
    ///   - path: What to call it in errors.
    /// - Throws: `AttachmentError` as by its path.
    package convenience init(opening name: [CChar], path: String) throws(AttachmentError) {
        // Without O_NONBLOCK the opening of a FIFO waits for a writer that may never come.
        let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw AttachmentError(.unreadable, file: path, reason: "it cannot be opened: \(reason)")
        }
        try self.init(descriptor: descriptor, path: path)
    }

    /// Takes a file over that is open already.
    ///
    /// - Parameters:
    ///   - descriptor: Open for reading. It is closed with `self`, also when that is refused.
    ///   - path: What to call it in errors.
    /// - Throws: `AttachmentError` with code `unreadable` when it is no regular file, `empty` when it
    ///   has no bytes.
    package init(descriptor: CInt, path: String) throws(AttachmentError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw AttachmentError(.unreadable, file: path, reason: "it is not a regular file")
        }
        guard status.st_size > 0 else {
            close(descriptor)
            throw AttachmentError(.empty, file: path, reason: "the file has no bytes")
        }
        #if os(Linux)
            // Pages of the file are taken from those that a hard cap leaves: read ahead by megabytes
            // they push out each other before they are used (measured, read-ahead of 8 MB: 40 s for a
            // TIFF of 67 MB under 12 MiB, in place of 3).
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM)
        #endif
        self.path = path
        self.descriptor = descriptor
        length = ByteCount(Int(status.st_size))
    }

    deinit { close(descriptor) }

    /// The digest of the whole file.
    ///
    /// - Returns: Its SHA-256.
    /// - Throws: `AttachmentError` with code `unreadable` when a read fails.
    package func digest() throws(AttachmentError) -> ContentDigest {
        var hash = SHA256()
        try forEachBlock { hash.update(data: $0) }
        return ContentDigest(hash.finalize())
    }

    /// Reads the whole file, without moving its offset.
    ///
    /// - Parameter body: Gets at most 64 KiB at a time, in order.
    /// - Throws: `AttachmentError` with code `unreadable` when a read fails, and what `body` throws.
    package func forEachBlock(
        _ body: (Data) throws(AttachmentError) -> Void
    ) throws(AttachmentError) {
        var block = Data(count: 64 << 10)
        var offset = 0
        while true {
            #if os(Linux)
                // The next block is read while this one is looked at.
                posix_fadvise(
                    descriptor, off_t(offset + block.count), off_t(block.count),
                    POSIX_FADV_WILLNEED)
            #endif
            let count = block.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress, $0.count, off_t(offset))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let reason = String(cString: strerror(errno))
                throw AttachmentError(
                    .unreadable, file: path, reason: "it cannot be read: \(reason)")
            }
            guard count > 0 else { return }
            try body(block.prefix(count))
            offset += count
        }
    }

    /// Bytes of the file.
    ///
    /// - Parameter range: Where they lie.
    /// - Returns: The bytes, fewer when the file ends before them or a read fails.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            count = max(
                0, pread(descriptor, buffer.baseAddress, range.count, off_t(range.lowerBound)))
        }
    }
}
