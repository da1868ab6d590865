/// A chunk of RIFF (Microsoft, "Multimedia Programming Interface and Data Specifications 1.0") or
/// IFF (Electronic Arts, "EA IFF 85").
struct Chunk {
    let type: FourCC
    /// Where the chunk begins in the file.
    let start: Int
    /// The length that it claims, in bytes.
    let length: Int
    /// What it holds, as far as the stretch goes.
    var payload: Cursor

    /// Whether the stretch ends before the chunk does.
    ///
    /// A program that cannot go back to write the length leaves the largest one there is, signed
    /// (2³¹ less what precedes it) or unsigned: such a chunk goes to the end, wherever it is.
    var endsEarly: Bool { length < 0x7FFF_0000 && payload.remaining < length }
}

/// The chunks that follow each other in a stretch of a file.
struct ChunkSequence {
    /// More chunks than stand before the sound or the picture of any real file.
    static let maximumChunks = 512

    private var cursor: Cursor
    private var count = 0

    /// Makes a sequence.
    ///
    /// - Parameter stretch: From the first chunk to the end of the last, in the format's order of
    ///   bytes.
    init(_ stretch: Cursor) {
        cursor = stretch
    }

    /// Reads the front of the next chunk and passes over what it holds.
    ///
    /// - Returns: The chunk; nil at the end of the stretch, and where less than a front is left.
    /// - Throws: `corrupt` when the chunks are too many; `overBudget`, `unreadable`.
    mutating func next() throws(HeaderFault) -> Chunk? {
        guard cursor.remaining >= 8 else { return nil }
        let start = cursor.offset
        count += 1
        guard count <= Self.maximumChunks else { throw .corrupt("too many chunks", at: start) }
        let type = try cursor.fourCC()
        let length = Int(try cursor.uint32())
        let payload = cursor.prefix(length)
        // Chunks begin at even bytes.
        try cursor.skip(min(length + length % 2, cursor.remaining))
        return Chunk(type: type, start: start, length: length, payload: payload)
    }
}
