public import AttachmentContainer
package import Foundation

/// An attachment that is open for reading.
public final class AttachmentFile: Sendable {
    /// The path that errors show; the file may have none, or another one.
    public let path: String
    /// The descriptor, closed with the last reference; read it with pread(2), because its position may be
    /// shared.
    ///
    /// -1 for an encrypted attachment, which has no file with its bytes.
    public let descriptor: CInt
    /// Length of the file when it was opened, at least one byte; of an encrypted attachment, the length of
    /// the plaintext.
    public let length: ByteCount
    private let plaintext: (any Plaintext)?
    private let knownDigest: ContentDigest?

    /// True if the attachment is encrypted, and decrypted only where it is read.
    public var isEncrypted: Bool { plaintext != nil }

    package convenience init(path: String) throws(AttachmentError) {
        try self.init(opening: Array(path.utf8CString), path: path)
    }

    /// Opens a regular file by a null-terminated name that may not be UTF-8; errors show `path`.
    package convenience init(opening name: [CChar], path: String) throws(AttachmentError) {
        // Without O_NONBLOCK, opening a FIFO blocks until it has a writer.
        let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw AttachmentError(.unreadable, file: path, reason: "it cannot be opened: \(reason)")
        }
        try self.init(descriptor: descriptor, path: path)
    }

    /// Takes ownership of a descriptor, even on failure.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading.
    ///   - path: The path that errors show.
    ///   - digest: SHA-256 of the file, if the caller computed it while writing the bytes; the default is
    ///     nil, for a file that ``digest()`` reads.
    /// - Throws: `AttachmentError` with the code `unreadable` for anything but a regular file, and `empty`
    ///   for one without bytes.
    public init(
        descriptor: CInt, path: String, digest: ContentDigest? = nil
    ) throws(AttachmentError) {
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
            // Under a hard cap, read-ahead by megabytes evicts pages before their use. Measured
            // with 8 MB of read-ahead: 40 s instead of 3 s for a TIFF of 67 MB under 12 MiB.
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_RANDOM)
        #endif
        self.path = path
        self.descriptor = descriptor
        length = ByteCount(Int(status.st_size))
        plaintext = nil
        knownDigest = digest
    }

    /// Reads an encrypted attachment, which errors show as `path`.
    package init(_ plaintext: any Plaintext, path: String) throws(AttachmentError) {
        guard plaintext.length > 0 else {
            throw AttachmentError(.empty, file: path, reason: "the file has no bytes")
        }
        self.path = path
        self.plaintext = plaintext
        knownDigest = nil
        descriptor = -1
        length = ByteCount(plaintext.length)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    package var openFile: OpenFile {
        plaintext.map { OpenFile($0) }
            ?? OpenFile(descriptor: descriptor, length: length.bytes)
    }

    /// SHA-256 of the whole file, which is read unless the digest is known; of an encrypted attachment,
    /// the identity of its ciphertext, since a digest of the plaintext would tell which picture it is.
    ///
    /// - Throws: `AttachmentError` with the code `unreadable`.
    public func digest() throws(AttachmentError) -> ContentDigest {
        if let plaintext { return plaintext.identity }
        if let knownDigest { return knownDigest }
        var hasher = ContentHasher()
        try forEachBlock { block in block.withUnsafeBytes { hasher.update($0) } }
        return hasher.finalize()
    }

    /// Passes the whole file to `body` in blocks of at most 64 KiB, without moving its offset.
    package func forEachBlock(
        _ body: (Data) throws(AttachmentError) -> Void
    ) throws(AttachmentError) {
        var block = Data(count: 64 << 10)
        var offset = 0
        while true {
            #if os(Linux)
                // Prefetches the next block while this one is processed; an encrypted attachment has no
                // descriptor.
                posix_fadvise(
                    descriptor, off_t(offset + block.count), off_t(block.count),
                    POSIX_FADV_WILLNEED)
            #endif
            let count: Int
            do throws(OpenFile.ReadFailure) {
                count = try block.withUnsafeMutableBytes { bytes in
                    Result { () throws(OpenFile.ReadFailure) in
                        try openFile.read(into: bytes, at: offset)
                    }
                }.get()
            } catch {
                throw AttachmentError(
                    .unreadable, file: path, reason: "it cannot be read: \(error.reason)")
            }
            guard count > 0 else { return }
            try body(block.prefix(count))
            offset += count
        }
    }

    /// Fewer at the end of the file or after a failed read.
    package func bytes(in range: Range<Int>) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            while count < range.count {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                guard let taken = try? openFile.read(into: rest, at: range.lowerBound + count),
                    taken > 0
                else { return }
                count += taken
            }
        }
    }

    package func bigEndianWord(at offset: Int) -> UInt32? {
        let bytes = bytes(in: offset..<offset + 4)
        return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil
    }
}
