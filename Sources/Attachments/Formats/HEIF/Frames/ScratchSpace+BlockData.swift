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

    /// `ceiling` is the planned heap in bytes.
    func makeHeap(forSequenceWithin ceiling: Int) throws(DecodingFault) -> ScratchHeap? {
        try makeHeap(bytes: ceiling + Self.sequenceSlack)
    }

    /// Address range beyond the demand, in bytes: freed blocks between used ones.
    private static let sequenceSlack = 2 << 20
}
