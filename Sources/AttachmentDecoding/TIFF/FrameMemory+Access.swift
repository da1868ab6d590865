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
        try self.init(bytes: count, scratch: scratch, heapLimit: 128 << 10)
    }

    /// Says that reading jumps between several places, each of which goes forward.
    ///
    /// Where memory is short, the system would otherwise read megabytes ahead of each place, and
    /// throw away what it read for the others: rows from four tiles of 2048 × 2048 took 138 seconds
    /// of 48 megapixels with 12 MB for the process and its pages, and take 23 like this.
    func expectScatteredReads() {
        guard isFileBacked else { return }
        // Advice, so that a failure changes nothing.
        _ = posix_madvise(bytes.baseAddress, bytes.count, POSIX_MADV_RANDOM)
    }
}
