import AttachmentModel

/// Walks the chunks of a PNG (PNG specification, 5.3) without verifying checksums.
struct APNGChunks: ~Copyable {
    let length: Int
    private var window: FileWindow
    private var position = 0

    init(_ file: OpenFile) throws(DecodingFault) {
        length = file.length
        window = FileWindow(file, capacity: 4096)
        let signature = InterlacedPNGStream.signature
        guard try window.readBytes(signature.count) == signature else {
            throw DecodingFault(.corrupt, at: 0, "it is not a PNG file")
        }
        position = window.offset
    }

    mutating func next() throws(DecodingFault) -> PNGChunk? {
        window.seek(to: position)
        guard let chunk = try window.readPNGChunk() else { return nil }
        guard chunk.isValid else {
            throw DecodingFault(.corrupt, at: position, "no chunk at the expected position")
        }
        position = chunk.end
        return chunk
    }

    func isComplete(_ chunk: PNGChunk) -> Bool { chunk.offset + chunk.length <= length }

    mutating func seek(to chunk: PNGChunk) { position = chunk.offset - PNGChunk.headerBytes }

    mutating func bytes(of chunk: PNGChunk) throws(DecodingFault) -> [UInt8] {
        window.seek(to: chunk.offset)
        let bytes = try window.readBytes(chunk.length)
        guard bytes.count == chunk.length else {
            throw DecodingFault(.truncated, at: length, "the file ends within a chunk")
        }
        return bytes
    }
}
