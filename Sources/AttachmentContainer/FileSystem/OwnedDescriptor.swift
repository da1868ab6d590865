import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An open descriptor that is closed with the last reference to it.
package final class OwnedDescriptor: Sendable {
    /// The descriptor.
    package let descriptor: Int32

    /// Takes a descriptor over.
    ///
    /// - Parameter descriptor: Open, and nobody else's to close.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Makes a file without a name: the volume has its room back with the last descriptor, after a
    /// crash too.
    ///
    /// - Parameter folder: A folder of the volume.
    /// - Throws: `ContainerError` when the system refuses.
    package convenience init(unnamedFileIn folder: String) throws(ContainerError) {
        self.init(try Self.openUnnamedFile(in: folder))
    }

    /// Makes a file without a name.
    ///
    /// - Parameter folder: A folder of the volume.
    /// - Returns: Its descriptor, open for reading and writing and the caller's to close.
    /// - Throws: `ContainerError` when the system refuses.
    package static func openUnnamedFile(in folder: String) throws(ContainerError) -> Int32 {
        #if os(Linux)
            // O_TMPFILE, which is a macro that Swift does not import: the same on x86-64 and arm64
            // (asm-generic/fcntl.h). Some file systems do not know it.
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

    /// Empties the file and puts its position at the start.
    ///
    /// - Throws: `ContainerError` when the volume fails.
    package func empty() throws(ContainerError) {
        guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw ContainerError("ftruncate", "a file without a name", errno, denied: .notWritable)
        }
    }
}
