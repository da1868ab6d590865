extension ScratchSpace {
    /// Makes memory off the heap for a decoder's block data; nil for small frames.
    ///
    /// For those, creating a file takes longer than decoding. `demand` is the expected size, `most`
    /// the limit for any bitstream, both in bytes. `ceiling` is the planned heap ceiling, or
    /// `Int.max` without one.
    func makeHeap(
        forBlockDataOf demand: Double, atMost most: Double, ceiling: Int
    ) throws(DecodingFault) -> ScratchHeap? {
        let isPlanned = ceiling < .max
        let planned = isPlanned ? Double(ceiling) - FrameDemand.slack : 0
        guard max(demand, planned) > FrameDemand.keptOnHeap else { return nil }
        let room = isPlanned ? Double(ceiling) : most
        return try makeHeap(bytes: Int(min(room * 1.1, 1e15)) + (1 << 20))
    }
}
