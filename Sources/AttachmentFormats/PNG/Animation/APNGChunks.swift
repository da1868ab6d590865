import AttachmentModel

/// Walks the chunks of a PNG (PNG specification, 5.3).
///
/// Checksums are not verified here: the walk reads no pixels.
struct APNGChunks: ~Copyable {
    struct Chunk {
        let header: PNGChunkHeader
        /// Start of the chunk's data, in bytes from the start of the file.
        let offset: Int
    }

    /// Length of the file, in bytes.
    let length: Int
    private var window: FileWindow
    /// Start of the next chunk.
    private var position = 0

    private static let signature: [UInt32] = [0x8950_4E47, 0x0D0A_1A0A]

    init(_ file: OpenFile) throws(DecodingFault) {
        length = file.length
        window = FileWindow(file, capacity: 4096)
        for expected in Self.signature {
            guard try window.readUInt32() == expected else {
                throw DecodingFault(.corrupt, at: 0, "it is not a PNG file")
            }
        }
        position = window.offset
    }

    /// Reads the next chunk header; nil at the end of the file or if the header is cut off.
    mutating func next() throws(DecodingFault) -> Chunk? {
        window.seek(to: position)
        guard let length = try window.readUInt32(), let type = try window.readUInt32() else {
            return nil
        }
        let header = PNGChunkHeader(length: Int(length), type: PNGChunkType(rawValue: type))
        guard header.type.isLegal, length <= Int32.max else {
            throw DecodingFault(.corrupt, at: position, "no chunk at the expected position")
        }
        let chunk = Chunk(header: header, offset: position + PNGChunkHeader.byteCount)
        position = chunk.offset + header.length + PNGChunkHeader.checksumBytes
        return chunk
    }

    /// Returns true if the file holds all data of `chunk`.
    func isComplete(_ chunk: Chunk) -> Bool { chunk.offset + chunk.header.length <= length }

    /// Rewinds, so that `next` returns `chunk` again.
    mutating func seek(to chunk: Chunk) { position = chunk.offset - PNGChunkHeader.byteCount }

    /// Reads all data of a short chunk.
    mutating func bytes(of chunk: Chunk) throws(DecodingFault) -> [UInt8] {
        window.seek(to: chunk.offset)
        let bytes = try window.readBytes(chunk.header.length)
        guard bytes.count == chunk.header.length else {
            throw DecodingFault(.truncated, at: length, "the file ends within a chunk")
        }
        return bytes
    }
}
