import Foundation

/// The mapped bytes of a file without a name, both of which go with the last reference.
final class ScratchMapping {
    /// The bytes; they begin at a page, can be read and written, and stay until `self` goes.
    let bytes: UnsafeMutableRawBufferPointer

    private let space: ScratchSpace

    /// Maps a whole file; the mapping outlives its descriptor.
    ///
    /// - Parameters:
    ///   - file: A file whose room on the disk is taken, so that writing to the mapping never meets
    ///     a full disk, which would be a signal.
    ///   - length: Its length in bytes.
    ///   - space: What counts the bytes, and gets them back when the mapping goes.
    /// - Throws: `DecodingFault` with code `scratch`; nothing is given back then.
    init(
        of file: borrowing UnlinkedFile, bytes length: Int, in space: ScratchSpace
    ) throws(DecodingFault) {
        let start = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
        guard let start, start != MAP_FAILED else {
            throw DecodingFault(.scratch, at: 0, "a scratch file cannot be mapped: \(lastError)")
        }
        bytes = UnsafeMutableRawBufferPointer(start: start, count: length)
        self.space = space
    }

    deinit {
        munmap(bytes.baseAddress, bytes.count)
        space.giveBack(bytes.count)
    }
}

/// What the last failed call to the system said.
var lastError: String { String(cString: strerror(errno)) }
