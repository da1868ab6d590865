extension FrameMemory {
    /// Takes memory for what a lossless WebP picture keeps.
    ///
    /// What is longer than 64 KB lies in a scratch file: what small pictures keep is faster on the
    /// heap than in files of their own. The system is not told to write the file to its disk: no more
    /// than 4 MB are changed over and over, which costs a sixth of the time when each is written, and
    /// nothing when not. Under a tight cap neither is clearly faster (control groups v1, 48 megapixels, 12 MB of
    /// which 6.0 to 9.6 were taken already), and neither costs the process its life.
    ///
    /// - Parameters:
    ///   - count: In bytes, at least 1.
    ///   - scratch: Where files are made; nil for the heap, however much it is.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    convenience init(losslessBytes count: Int, scratch: ScratchSpace?) throws(DecodingFault) {
        try self.init(bytes: count, heapLimit: 64 << 10, scratch: scratch)
    }

    /// The first byte.
    ///
    /// - Returns: A pointer to as many bytes as were asked for, all initialised and of no other type,
    ///   until `self` goes.
    /// - Throws: `DecodingFault` with code `scratch`, which memory of at least a byte never does.
    func start() throws(DecodingFault) -> UnsafeMutablePointer<UInt8> {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else {
            throw DecodingFault(.scratch, at: 0, "there is no memory for its pixels")
        }
        return start
    }
}
