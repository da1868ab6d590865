extension ScratchSpace {
    /// Nil for small frames, for which creating a file takes longer than decoding.
    ///
    /// `most` has the limits for any bitstream; `ceiling` is the planned heap in bytes, or
    /// `Int.max`.
    func makeHeap(
        forBlockDataOf frame: FrameHeader, atMost most: FrameHeader, ceiling: Int
    ) throws(DecodingFault) -> ScratchHeap? {
        let isPlanned = ceiling < .max
        let planned = isPlanned ? Double(ceiling) - FrameDemand.slack : 0
        guard max(FrameDemand.bytes(of: frame), planned) > FrameDemand.keptOnHeap else {
            return nil
        }
        let room = isPlanned ? Double(ceiling) : FrameDemand.bytes(of: most)
        return try makeHeap(bytes: Int(min(room * 1.1, 1e15)) + (1 << 20))
    }
}
