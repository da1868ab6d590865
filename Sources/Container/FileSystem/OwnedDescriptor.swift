import Foundation

/// A file descriptor that is closed with its last reference.
public final class OwnedDescriptor: Sendable {
    /// The descriptor, open as long as this object is referenced.
    public let descriptor: Int32

    /// Takes ownership of a descriptor.
    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Creates an unnamed file, whose space is freed with its last descriptor, even after a crash.
    ///
    /// - Parameter folder: A folder of the volume that gets the file.
    /// - Throws: `ContainerError` with the system's error.
    public convenience init(unnamedFileIn folder: String) throws(ContainerError) {
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
        // Never an error: the class is the container's own.
        try FileSystem().protect(
            String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    deinit { close(descriptor) }

    /// Opens the same file for reading only, with a position of its own where the system can.
    package func reopenedForReading() throws(ContainerError) -> OwnedDescriptor {
        #if os(Linux)
            // The link in /proc leads to the open file, named or not (proc(5)).
            let copy = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
            if copy >= 0 { return OwnedDescriptor(copy) }
        #endif
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard duplicate >= 0 else {
            throw ContainerError("fcntl", "an unnamed file", errno, denied: .unreadable)
        }
        return OwnedDescriptor(duplicate)
    }

    package func empty() throws(ContainerError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw ContainerError("ftruncate", "an unnamed file", errno, denied: .notWritable)
        }
    }
}
