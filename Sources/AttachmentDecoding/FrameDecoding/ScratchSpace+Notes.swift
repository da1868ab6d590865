internal import AttachmentPlanning

extension ScratchSpace {
    /// Gives the notes that a decoder keeps of a large frame a place off the heap.
    ///
    /// - Parameter demand: What decoding the frame takes, in bytes.
    /// - Returns: The place, with some room for what lies between blocks; nil for the heap, where
    ///   small frames keep their notes, since making a file takes longer than decoding a tile.
    /// - Throws: `DecodingFault` with code `overCeiling` or `scratch`.
    func makeHeap(forNotesOf demand: Double) throws(DecodingFault) -> ScratchHeap? {
        guard demand > FrameDemand.keptOnHeap else { return nil }
        return try makeHeap(bytes: Int(min(demand * 1.1, 1e15)) + (1 << 20))
    }
}
