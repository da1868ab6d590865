extension FrameMemory {
    /// Above 64 KB in a scratch file, if any; small blocks are faster on the heap.
    ///
    /// Early write-back of the file is off. At most 4 MB are rewritten over and over, and writing
    /// each change costs a sixth of the time. Under a tight cap neither mode is clearly faster, and
    /// neither gets the process killed (cgroup v1, 48 megapixels, 12 MB with 6.0 to 9.6 MB in use).
    convenience init(losslessBytes count: Int, scratch: ScratchSpace?) throws(DecodingFault) {
        try self.init(bytes: count, heapLimit: 64 << 10, scratch: scratch)
    }

    func start() throws(DecodingFault) -> UnsafeMutablePointer<UInt8> {
        guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else {
            throw DecodingFault(.scratch, at: 0, "there is no memory for its pixels")
        }
        return start
    }
}
