import CFileSystem
import Foundation

/// Mapping of an unlinked file, with the descriptor that keeps the file alive.
struct MappedFile: Sendable {
    // A number, because pointers are not `Sendable`.
    private let address: UInt
    private let descriptor: CInt
    let count: Int

    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            start: UnsafeMutableRawPointer(bitPattern: address), count: count)
    }

    /// Maps a whole file, at `address` if given, replacing any mapping there; its disk space must
    /// be reserved, because writing would otherwise raise a signal on a full disk.
    init(
        _ file: consuming UnlinkedFile, bytes length: Int,
        at address: UnsafeMutableRawPointer? = nil
    ) throws(DecodingFault) {
        let start = mmap(
            address, length, PROT_READ | PROT_WRITE,
            address == nil ? MAP_SHARED : MAP_SHARED | MAP_FIXED, file.descriptor, 0)
        guard let start, start != MAP_FAILED else {
            throw DecodingFault(.scratch, at: 0, "a scratch file cannot be mapped: \(lastError)")
        }
        (self.address, count) = (UInt(bitPattern: start), length)
        descriptor = file.release()
        adviseRandomReads()
    }

    func adviseRandomReads() {
        // Decoders move back and forth in small blocks, so read-ahead evicts pages still in use. An
        // AV1 frame of 12 megapixels under a cap of 12 MB takes 0.3 s with this advice and 19 s
        // without it. With the opposite advice it never finishes.
        madvise(bytes.baseAddress, count, MADV_RANDOM)
    }

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
