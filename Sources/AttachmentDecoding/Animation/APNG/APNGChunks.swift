/// Goes through the chunks of a PNG (PNG specification, 5.3) without looking at checksums, since what
/// tells of frames tells nothing of their pixels.
struct APNGChunks: ~Copyable {
    /// A chunk.
    struct Chunk {
        let header: PNGChunkHeader
        /// Where its data begin, in bytes from the start of the file.
        let offset: Int
    }

    /// The length of the file, in bytes.
    let length: Int
    private var window: FileWindow
    /// Where the next chunk begins.
    private var place = 0

    private static let signature: [UInt32] = [0x8950_4E47, 0x0D0A_1A0A]

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - descriptor: The file; it stays the caller's.
    ///   - length: Its length, in bytes.
    /// - Throws: `corrupt`, `truncated`, `unreadable`.
    init(descriptor: CInt, length: Int) throws(DecodingFault) {
        self.length = length
        window = FileWindow(descriptor: descriptor, over: 0..<max(0, length), capacity: 4096)
        for expected in Self.signature {
            guard try window.readUInt32() == expected else {
                throw DecodingFault(.corrupt, at: 0, "it is no PNG file")
            }
        }
        place = window.offset
    }

    /// Goes to the next chunk.
    ///
    /// - Returns: The chunk; nil at the end of the file, or within what should stand in front of
    ///   the data.
    /// - Throws: `corrupt`, `unreadable`.
    mutating func next() throws(DecodingFault) -> Chunk? {
        window.seek(to: place)
        guard let length = try window.readUInt32(), let type = try window.readUInt32() else {
            return nil
        }
        let header = PNGChunkHeader(length: Int(length), type: PNGChunkType(rawValue: type))
        guard header.type.isLegal, length <= Int32.max else {
            throw DecodingFault(.corrupt, at: place, "no chunk where one should begin")
        }
        let chunk = Chunk(header: header, offset: place + PNGChunkHeader.byteCount)
        place = chunk.offset + header.length + PNGChunkHeader.checksumBytes
        return chunk
    }

    /// Whether the file has all data of a chunk.
    ///
    /// - Parameter chunk: The chunk.
    /// - Returns: Whether it does.
    func isComplete(_ chunk: Chunk) -> Bool { chunk.offset + chunk.header.length <= length }

    /// Has `next` give a chunk once more.
    ///
    /// - Parameter chunk: The chunk.
    mutating func seek(to chunk: Chunk) { place = chunk.offset - PNGChunkHeader.byteCount }

    /// Reads the data of a chunk.
    ///
    /// - Parameter chunk: A short chunk.
    /// - Returns: All of its data.
    /// - Throws: `truncated`, `unreadable`.
    mutating func bytes(of chunk: Chunk) throws(DecodingFault) -> [UInt8] {
        window.seek(to: chunk.offset)
        var bytes: [UInt8] = []
        for _ in 0..<chunk.header.length {
            guard let byte = try window.readByte() else {
                throw DecodingFault(.truncated, at: length, "the file ends within a chunk")
            }
            bytes.append(byte)
        }
        return bytes
    }
}
