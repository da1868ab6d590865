import AttachmentModel
internal import CZlib

/// Inflates the image data, from the start or from a saved state.
final class ImageDataInflater {
    private var inflate: Inflate
    private let source: Source

    struct Source {
        let file: OpenFile
        let isTolerant: Bool
        /// Type of the chunks that hold the stream.
        var type = PNGChunkType.imageData
    }

    /// Starts at the first byte of the image data.
    ///
    /// In an fdAT chunk, `offset` is after the sequence number, and `checksum` already covers that
    /// number.
    init(_ source: Source, at offset: Int, chunkLength length: Int, checksum: uLong? = nil) {
        self.source = source
        let position = ImageDataChunks.Position(
            offset: offset, remaining: length, checksum: checksum ?? ChunkChecksum.of(source.type))
        inflate = Inflate(
            ImageDataChunks(
                source.file, at: position,
                strictness: source.isTolerant ? .unchecked : .checked, type: source.type),
            isChecked: !source.isTolerant)
    }

    /// Copies another inflater's state.
    ///
    /// The copy ignores checksums, because the original checks them as it reads on.
    init(copying other: ImageDataInflater) {
        source = other.source
        inflate = Inflate(
            copying: other.inflate,
            chunks: ImageDataChunks(
                source.file,
                at: other.inflate.input.chunks.position, strictness: .unchecked))
    }

    /// Offset up to which the file was read.
    var offset: Int { inflate.input.chunks.offset }

    /// Inflates into the buffer; fills it unless a damaged file ends early.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) -> Int {
        let count = try inflate.read(into: buffer)
        if count < buffer.count { try report(inflate.damage ?? .shortage) }
        return count
    }

    /// Reads the end of the stream and its checksum after the last row.
    ///
    /// Surplus rows are ignored, as libpng does.
    func finish() throws(DecodingFault) {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) {
            (surplus) throws(DecodingFault) in
            guard try inflate.read(into: surplus) < surplus.count, let damage = inflate.damage
            else { return }
            try report(damage)
        }
    }

    /// Skips a buffer of surplus image data after the stream.
    ///
    /// At the end, returns the offset of the following chunk or of the end of the file.
    func skipRest() throws(DecodingFault) -> Int? {
        try inflate.input.chunks.withBytes(\.count)
        return inflate.input.chunks.end == nil ? nil : inflate.input.chunks.offset
    }

    private func report(_ damage: Inflate.Damage) throws(DecodingFault) {
        guard !source.isTolerant else { return }
        let code: DecodingFault.Code =
            switch damage {
            case .shortage where inflate.input.chunks.end == .ofFile: .truncated
            case .emptyBlocks: .overCeiling
            default: .corrupt
            }
        throw DecodingFault(code, at: offset, damage.rawValue)
    }
}
