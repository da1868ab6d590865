import CFileSystem
import Foundation

/// The mapped bytes of a file without a name, both of which go with the last reference.
package final class ScratchMapping {
    /// The bytes; they begin at a page, can be read and written, and stay until `self` goes.
    package let bytes: UnsafeMutableRawBufferPointer

    private let file: UnlinkedFile
    private let space: ScratchSpace

    /// Maps a whole file.
    ///
    /// - Parameters:
    ///   - file: A file whose room on the disk is taken, so that writing to the mapping never meets
    ///     a full disk, which would be a signal.
    ///   - length: Its length in bytes.
    ///   - space: What counts the bytes, and gets them back when the mapping goes.
    /// - Throws: `DecodingFault` with code `scratch`; nothing is given back then.
    init(
        of file: consuming UnlinkedFile, bytes length: Int, in space: ScratchSpace
    ) throws(DecodingFault) {
        let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
        guard let start, start != MAP_FAILED else {
            throw DecodingFault(.scratch, at: 0, "a scratch file cannot be mapped: \(lastError)")
        }
        // Else a page that was taken back is read again with megabytes around it, which push out
        // what is needed next: an AV1 frame of 12 megapixels under a cap of 12 MB takes 0.3 s with
        // this advice, 19 s without it (read-ahead of 8 MB), and does not end with the opposite one.
        madvise(start, length, MADV_RANDOM)
        bytes = UnsafeMutableRawBufferPointer(start: start, count: length)
        self.file = file
        self.space = space
    }

    /// How much was changed since the system was last told to write, in bytes.
    private var changed = 0
    /// After how many changed bytes it is told again: a fortieth of the smallest cap.
    private static let writingUnit = 256 << 10

    /// Counts what was changed, and has the system begin to write it to the disk now and then.
    ///
    /// Under a hard cap the pages of the file are taken from those that the cap leaves. What is
    /// written out can be taken back at once; what is not may cost the process its life when much of
    /// it was changed in a short time (seen with control groups v1).
    ///
    /// - Parameter count: How many bytes were changed since the last call.
    package func startWritingOut(after count: Int) {
        changed += count
        guard changed >= Self.writingUnit else { return }
        changed = 0
        #if os(Linux)
            thimble_start_writing_out(file.descriptor)
        #else
            msync(bytes.baseAddress, bytes.count, MS_ASYNC)
        #endif
    }

    /// Tells the system that bytes are wanted soon, so that those that it wrote out are read
    /// together instead of page by page.
    ///
    /// - Parameters:
    ///   - start: The first of them, within `bytes`.
    ///   - count: How many; what reaches beyond the end is left out.
    func willNeed(_ start: UnsafeRawPointer, _ count: Int) {
        guard let base = bytes.baseAddress else { return }
        let first = (start - UnsafeRawPointer(base)) & ~(Int(getpagesize()) - 1)
        guard first >= 0, first < bytes.count else { return }
        madvise(base + first, min(count, bytes.count - first), MADV_WILLNEED)
    }

    deinit {
        munmap(bytes.baseAddress, bytes.count)
        space.giveBack(bytes.count)
    }
}

/// What the last failed call to the system said.
var lastError: String { String(cString: strerror(errno)) }
