import Foundation

extension FrameMemory {
    /// Allocates memory for strips, tiles or their compressed bytes.
    ///
    /// Above 128 KB it is in a scratch file. Usual strips have 8 to 64 KB; from 128 KB on, decoding
    /// takes longer than page faults.
    convenience init(unitBytes count: Int, scratch: ScratchSpace) throws(DecodingFault) {
        try self.init(bytes: count, heapLimit: 128 << 10, scratch: scratch)
    }

    /// Enables read-ahead for sequential reads.
    func adviseSequentialReads() {
        guard file != nil else { return }
        // Advice only: failure does not matter.
        _ = posix_madvise(bytes.baseAddress, bytes.count, POSIX_MADV_NORMAL)
    }
}
