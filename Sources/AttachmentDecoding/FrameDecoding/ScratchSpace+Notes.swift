internal import AttachmentPlanning

extension ScratchSpace {
    /// Gives the notes that a decoder keeps of a large frame a place off the heap.
    ///
    /// - Parameters:
    ///   - demand: What decoding such a frame takes, in bytes.
    ///   - most: What it may take, with all that a bitstream can ask for, in bytes.
    /// - Returns: The place, with some room for what lies between blocks; nil for the heap, where
    ///   small frames keep their notes, since making a file takes longer than decoding a tile.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    func makeHeap(
        forNotesOf demand: Double, atMost most: Double
    ) throws(DecodingFault) -> ScratchHeap? {
        guard demand > FrameDemand.keptOnHeap else { return nil }
        return try makeHeap(bytes: Int(min(most * 1.1, 1e15)) + (1 << 20))
    }
}
