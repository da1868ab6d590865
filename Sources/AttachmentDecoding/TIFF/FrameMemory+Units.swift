import Foundation

extension FrameMemory {
    /// Takes memory for strips, tiles or their compressed bytes.
    ///
    /// What is longer than 128 KB lies in a scratch file: writers that mean well make strips of 8 to
    /// 64 KB, and from there on decoding takes longer than the faults of the pages.
    ///
    /// - Parameters:
    ///   - count: In bytes, at least 1.
    ///   - scratch: Where files are made.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    convenience init(unitBytes count: Int, scratch: ScratchSpace) throws(DecodingFault) {
        try self.init(bytes: count, heapLimit: 128 << 10, scratch: scratch)
    }

    /// Lets the system read ahead, since the bytes are read from the first to the last.
    func expectForwardReads() {
        guard file != nil else { return }
        // Advice, so that a failure changes nothing.
        _ = posix_madvise(bytes.baseAddress, bytes.count, POSIX_MADV_NORMAL)
    }
}
