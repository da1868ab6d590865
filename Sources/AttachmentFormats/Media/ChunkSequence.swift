import AttachmentModel

/// Chunk of RIFF (Microsoft, "Multimedia Programming Interface and Data Specifications 1.0") or IFF
/// (Electronic Arts, "EA IFF 85").
struct Chunk {
    let type: FourCC
    let start: Int
    let length: Int
    var payload: Cursor

    /// True if the section ends before the chunk.
    ///
    /// A writer that cannot seek back leaves the largest length, signed (2³¹ minus the bytes before
    /// it) or unsigned. Such a chunk extends to the end.
    var endsEarly: Bool { length < 0x7FFF_0000 && payload.remaining < length }
}

struct ChunkSequence {
    /// Above the number of chunks before the sound or picture of any real file.
    static let maximumChunks = 512

    private var cursor: Cursor
    private var count = 0

    init(_ section: Cursor) {
        cursor = section
    }

    mutating func next() throws(HeaderFault) -> Chunk? {
        guard cursor.remaining >= 8 else { return nil }
        let start = cursor.offset
        count += 1
        guard count <= Self.maximumChunks else { throw .corrupt("too many chunks", at: start) }
        let type = try cursor.fourCC()
        let length = Int(try cursor.uint32())
        let payload = cursor.prefix(length)
        // Chunks are aligned to even offsets.
        try cursor.skip(min(length + length % 2, cursor.remaining))
        return Chunk(type: type, start: start, length: length, payload: payload)
    }
}
