package import Foundation

/// Size-limited reading of regular files.
package enum BoundedFile {
    package static func contents(of path: String, ceiling: Int) throws(ProfileError) -> Data {
        // Without O_NONBLOCK, opening a FIFO blocks until a writer opens it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw ProfileError(
                .unreadable, file: path,
                reason: "it cannot be opened: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ProfileError(.unreadable, file: path, reason: "it is not a regular file")
        }
        var contents = Data()
        var block = Data(count: 64 << 10)
        while contents.count <= ceiling {
            let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw ProfileError(
                    .unreadable, file: path,
                    reason: "it cannot be read: \(String(cString: strerror(errno)))")
            }
            guard count > 0 else { return contents }
            contents.append(block.prefix(count))
        }
        throw ProfileError(.tooLarge, file: path, reason: "it is longer than \(ceiling) bytes")
    }
}
