internal import AttachmentPlanning

extension ScratchSpace {
    /// Gives the notes that a decoder keeps of a large frame a place off the heap.
    ///
    /// - Parameters:
    ///   - demand: What decoding such a frame takes, in bytes.
    ///   - most: What it may take, with all that a bitstream can ask for, in bytes.
    ///   - ceiling: The ceiling on the heap that was planned; `Int.max` for none.
    /// - Returns: The place, with some room for what lies between blocks; nil for the heap, where
    ///   small frames keep their notes, since making a file takes longer than decoding a tile.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    func makeHeap(
        forNotesOf demand: Double, atMost most: Double, ceiling: Int
    ) throws(DecodingFault) -> ScratchHeap? {
        let isPlanned = ceiling < .max
        let planned = isPlanned ? Double(ceiling) - FrameDemand.slack : 0
        guard max(demand, planned) > FrameDemand.keptOnHeap else { return nil }
        let room = isPlanned ? Double(ceiling) : most
        return try makeHeap(bytes: Int(min(room * 1.1, 1e15)) + (1 << 20))
    }
}
