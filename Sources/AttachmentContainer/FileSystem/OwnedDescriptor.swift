import Foundation

package final class OwnedDescriptor: Sendable {
    package let descriptor: Int32

    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Creates an unnamed file, whose space is freed with its last descriptor, even after a crash.
    package convenience init(unnamedFileIn folder: String) throws(ContainerError) {
        self.init(try Self.openUnnamedFile(in: folder))
    }

    package static func openUnnamedFile(in folder: String) throws(ContainerError) -> Int32 {
        #if os(Linux)
            // O_TMPFILE, a macro that Swift does not import. The value is the same on x86-64 and
            // arm64 (asm-generic/fcntl.h). Some file systems do not support it.
            let unnamed = Int32(0o20_000_000) | O_DIRECTORY
            let made = open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o600)
            if made >= 0 { return made }
        #endif
        var path = Array("\(folder)/.thimble-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw ContainerError("mkstemp", folder, errno, denied: .notWritable)
        }
        FileSystem().protect(
            String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    deinit { close(descriptor) }

    package func empty() throws(ContainerError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw ContainerError("ftruncate", "an unnamed file", errno, denied: .notWritable)
        }
    }
}
