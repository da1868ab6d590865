import CFileSystem
import Foundation

/// The mapped bytes of a file without a name, which goes with them.
struct MappedFile: Sendable {
    // Numbers, since pointers may not pass from thread to thread with those that wait for use.
    private let address: UInt
    /// Open until `unmap`.
    private let descriptor: CInt
    /// How many bytes there are.
    let count: Int

    /// The bytes; they begin at a page and can be read and written until `unmap`.
    var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(
            start: UnsafeMutableRawPointer(bitPattern: address), count: count)
    }

    /// Maps a whole file.
    ///
    /// - Parameters:
    ///   - file: A file whose room on the disk is taken, so that writing to the mapping never meets
    ///     a full disk, which would be a signal.
    ///   - length: Its length in bytes.
    ///   - address: Where, instead of what is mapped there; nil for anywhere. The default is nil.
    /// - Throws: `DecodingFault` with code `scratch`.
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
        expectRandomReads()
    }

    /// Keeps the system from reading ahead.
    func expectRandomReads() {
        // Decoders go back and forth over frames by small blocks, so that what the system reads
        // ahead pushes out what is needed: an AV1 frame of 12 megapixels under a cap of 12 MB
        // takes 0.3 s with this advice, 19 s without it, and does not end with the opposite one.
        madvise(bytes.baseAddress, count, MADV_RANDOM)
    }

    /// Has the system begin to write to the disk what was changed.
    func startWritingOut() {
        #if os(Linux)
            thimble_start_writing_out(descriptor)
        #else
            msync(bytes.baseAddress, count, MS_ASYNC)
        #endif
    }

    /// Tells the system that bytes are wanted soon.
    ///
    /// Those that it wrote out are read together then, instead of page by page.
    ///
    /// - Parameters:
    ///   - start: The first of them, within `bytes`.
    ///   - count: How many; what reaches beyond the end is left out.
    func willNeed(_ start: UnsafeRawPointer, _ count: Int) {
        guard let base = bytes.baseAddress else { return }
        let first = (start - UnsafeRawPointer(base)) & ~(Int(getpagesize()) - 1)
        guard first >= 0, first < self.count else { return }
        madvise(base + first, min(count, self.count - first), MADV_WILLNEED)
    }

    /// Lets go of the file, whose bytes something else was mapped over, or which stay.
    func abandon() { close(descriptor) }

    /// Gives the bytes and the file back to the system.
    func unmap() {
        munmap(bytes.baseAddress, count)
        close(descriptor)
    }
}

/// What the last failed call to the system said.
var lastError: String { String(cString: strerror(errno)) }
