import Foundation

extension FrameMemory {
    /// Says that reading jumps between several places, each of which goes forward.
    ///
    /// Where memory is short, the system would otherwise read megabytes ahead of each place, and
    /// throw away what it read for the others: rows from four tiles of 2048 × 2048 took 138 seconds
    /// of 48 megapixels with 12 MB for the process and its pages, and take 23 like this.
    func expectScatteredReads() {
        // Memory of the heap does not begin at a page, and is not read from a file.
        guard bytes.count > Self.heapLimit else { return }
        // Advice, so that a failure changes nothing.
        _ = posix_madvise(bytes.baseAddress, bytes.count, POSIX_MADV_RANDOM)
    }
}
