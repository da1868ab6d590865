extension FrameMemory {
    /// Takes memory for what a lossless WebP picture keeps.
    ///
    /// What is longer than 64 KB lies in a scratch file: what small pictures keep is faster on the
    /// heap than in files of their own.
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
