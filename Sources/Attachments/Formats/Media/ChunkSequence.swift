import AttachmentModel

/// Chunk of RIFF (Microsoft, "Multimedia Programming Interface and Data Specifications 1.0") or IFF
/// (Electronic Arts, "EA IFF 85").
struct Chunk {
    let type: FourCC
    let start: Int
    let length: Int
    var payload: Cursor

    /// A writer that cannot seek back leaves the largest length, signed (2³¹ minus the bytes before
    /// it) or unsigned; such a chunk extends to the end.
    var endsEarly: Bool { length < 0x7FFF_0000 && payload.remaining < length }

    /// Length of the contents with padding to an even offset.
    var paddedLength: Int { length + length & 1 }

    /// Reads the header; `cursor` then stands before the contents.
    init(_ cursor: inout Cursor) throws(HeaderFault) {
        start = cursor.offset
        type = try cursor.fourCC()
        length = Int(try cursor.uint32())
        payload = cursor.prefix(length)
    }
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
        let chunk = try Chunk(&cursor)
        try cursor.skip(min(chunk.paddedLength, cursor.remaining))
        return chunk
    }
}
