import CSystemCalls
import Foundation

/// Mapping of an unnamed file: its disk space is freed with the last use, even after a crash.
struct MappedFile: Sendable {
    // A number, because pointers are not `Sendable`.
    private let address: UInt
    private let descriptor: CInt
    let count: Int

    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            start: UnsafeMutableRawPointer(bitPattern: address), count: count)
    }

    /// Maps a zeroed file of `length` bytes, at `address` if given, replacing any mapping there.
    ///
    /// Throws if the file is in memory. Its disk space is reserved: writing to the mapping would
    /// otherwise raise a signal on a full disk.
    init(
        _ length: Int, from source: ScratchSource, at address: UnsafeMutableRawPointer? = nil
    ) throws(DecodingFault) {
        let file = try source.open()
        do throws(DecodingFault) {
            try Self.reserve(length, of: file, in: source.folder)
            let start = mmap(
                address, length, PROT_READ | PROT_WRITE,
                address == nil ? MAP_SHARED : MAP_SHARED | MAP_FIXED, file, 0)
            guard let start, start != MAP_FAILED else {
                throw DecodingFault(
                    .scratch, at: 0, "a scratch file cannot be mapped: \(lastError)")
            }
            self.address = UInt(bitPattern: start)
        } catch {
            close(file)
            throw error
        }
        (descriptor, count) = (file, length)
        adviseRandomReads()
    }

    func adviseRandomReads() {
        // Decoders move back and forth in small blocks, so read-ahead evicts pages still in use. An
        // AV1 frame of 12 megapixels under a cap of 12 MB takes 0.3 s with this advice and 19 s
        // without it. With the opposite advice it never finishes.
        madvise(bytes.baseAddress, count, MADV_RANDOM)
    }

    func adviseSequentialReads() { madvise(bytes.baseAddress, count, MADV_NORMAL) }

    func startWritingOut() {
        #if os(Linux)
            thimble_start_writing_out(descriptor)
        #else
            msync(bytes.baseAddress, count, MS_ASYNC)
        #endif
    }

    /// Requests a part of `bytes`, clipped, in one read instead of one page fault each.
    func willNeed(_ start: UnsafeRawPointer, _ count: Int) {
        guard let base = bytes.baseAddress else { return }
        let first = (start - UnsafeRawPointer(base)) & ~(Int(getpagesize()) - 1)
        guard first >= 0, first < self.count else { return }
        madvise(base + first, min(count, self.count - first), MADV_WILLNEED)
    }

    /// Closes the file without unmapping: the range was mapped anew, or must stay mapped.
    func closeKeepingMapping() { close(descriptor) }

    func unmap() {
        munmap(bytes.baseAddress, count)
        close(descriptor)
    }
}

/// Message for `errno`.
var lastError: String { String(cString: strerror(errno)) }

extension MappedFile {
    /// Refuses a file in memory, where frames would count as footprint.
    static func refuseMemory(_ file: CInt, in folder: String) throws(DecodingFault) {
        guard !thimble_is_in_memory(file) else {
            throw DecodingFault(
                .scratch, at: 0,
                "the scratch folder \(folder) is in memory, where frames would count as footprint:"
                    + " choose one on a disk")
        }
    }

    /// Refuses a file in memory, and reserves the disk space of another.
    private static func reserve(
        _ length: Int, of file: CInt, in folder: String
    ) throws(DecodingFault) {
        try refuseMemory(file, in: folder)
        let error = reserve(length, of: file)
        guard error == 0 else {
            throw DecodingFault(
                .scratch, at: 0,
                "no room for \(length) bytes in the scratch folder \(folder):"
                    + " \(String(cString: strerror(error)))")
        }
    }

    private static func reserve(_ length: Int, of file: CInt) -> CInt {
        #if canImport(Darwin)
            var request = fstore_t(
                fst_flags: UInt32(F_ALLOCATEALL), fst_posmode: F_PEOFPOSMODE, fst_offset: 0,
                fst_length: off_t(length), fst_bytesalloc: 0)
            guard fcntl(file, F_PREALLOCATE, &request) == 0, ftruncate(file, off_t(length)) == 0
            else { return errno }
            return 0
        #else
            var error: CInt
            repeat {
                error = posix_fallocate(file, 0, off_t(length))
            } while error == EINTR
            return error
        #endif
    }
}
