import CFileSystem
import Foundation

/// A file without a name: its disk space is freed with the last use, even after a crash.
struct UnlinkedFile: ~Copyable {
    /// Open for reading and writing, as long as the value.
    let descriptor: CInt

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    consuming func release() -> CInt {
        let descriptor = descriptor
        discard self
        return descriptor
    }

    /// Creates a zeroed file with its disk space reserved; throws if the file is in memory.
    static func make(
        from source: ScratchSource, bytes length: Int
    ) throws(DecodingFault) -> UnlinkedFile {
        let file = UnlinkedFile(descriptor: try source.open())
        guard !file.isInMemory else {
            throw DecodingFault(
                .scratch, at: 0,
                "the scratch folder \(source.folder) is in memory, where frames would count as footprint:"
                    + " choose one on a disk")
        }
        let error = file.reserve(length)
        guard error == 0 else {
            throw DecodingFault(
                .scratch, at: 0,
                "no room for \(length) bytes in the scratch folder \(source.folder):"
                    + " \(String(cString: strerror(error)))")
        }
        return file
    }

    /// True if the file's pages are memory that the system cannot write out.
    private var isInMemory: Bool {
        var system = statfs()
        guard fstatfs(descriptor, &system) == 0 else { return false }
        #if os(Linux)
            // tmpfs, ramfs, hugetlbfs (statfs(2)).
            return [0x0102_1994, 0x8584_58f6, 0x9584_58f6].contains(Int(system.f_type))
        #else
            let name = withUnsafeBytes(of: system.f_fstypename) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            return name == "tmpfs"
        #endif
    }

    private func reserve(_ length: Int) -> CInt {
        #if canImport(Darwin)
            var request = fstore_t(
                fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
                fst_length: off_t(length), fst_bytesalloc: 0)
            guard fcntl(descriptor, F_PREALLOCATE, &request) == 0,
                ftruncate(descriptor, off_t(length)) == 0
            else { return errno }
            return 0
        #else
            var error: CInt
            repeat {
                error = posix_fallocate(descriptor, 0, off_t(length))
            } while error == EINTR
            return error
        #endif
    }
}
