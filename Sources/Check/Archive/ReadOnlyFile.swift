import Foundation

/// A regular file, read at positions.
final class ReadOnlyFile {
    /// The path in messages.
    let name: String
    /// The size at opening, in bytes.
    let size: Int
    private let descriptor: CInt

    /// Opens a file; `name` is its path in messages, nil for the same.
    init(path: String, name: String? = nil) throws(AppError) {
        let name = name ?? path
        // Without O_NONBLOCK, opening a FIFO blocks until a writer opens it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw AppError(
                .unreadable, file: name,
                "it cannot be opened: \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw AppError(.unreadable, file: name, "it is not a regular file")
        }
        self.name = name
        self.descriptor = descriptor
        size = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Reads bytes at a position; nil if the range is not in the file.
    func read(at position: Int, count: Int) throws(AppError) -> [UInt8]? {
        guard position >= 0, count >= 0, position <= size, count <= size - position else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes.withUnsafeMutableBytes {
                pread(
                    descriptor, $0.baseAddress?.advanced(by: done), count - done,
                    off_t(position + done))
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else {
                let reason = read == 0 ? "it became shorter" : String(cString: strerror(errno))
                throw AppError(.unreadable, file: name, "it cannot be read: \(reason)")
            }
            done += read
        }
        return bytes
    }
}
