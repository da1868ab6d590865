internal import CZlib

/// Inflates the image data, from their start or from a place that was kept.
final class ImageDataInflater {
    private var inflate: Inflate
    private let file: File

    /// The file that is read.
    struct File {
        let descriptor: CInt
        /// In bytes.
        let length: Int
        let isTolerant: Bool
        /// The chunks that hold the stream.
        var type = PNGChunkType.imageData
    }

    /// Begins with the first byte of the image data.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - offset: Where the data of the first chunk begin, in bytes from its start: behind the
    ///     sequence number of an fdAT chunk.
    ///   - length: How many they are.
    ///   - checksum: That of what stands in front of them in the chunk; nil for its type alone. The
    ///     default is nil.
    init(_ file: File, at offset: Int, chunkLength length: Int, checksum: uLong? = nil) {
        self.file = file
        let position = ImageDataChunks.Position(
            offset: offset, remaining: length, checksum: checksum ?? ChunkChecksum.of(file.type))
        inflate = Inflate(
            ImageDataChunks(
                descriptor: file.descriptor, length: file.length, at: position,
                strictness: file.isTolerant ? .unchecked : .checked, type: file.type),
            isChecked: !file.isTolerant)
    }

    /// Begins where another one stands, which goes on by itself.
    ///
    /// The copy looks at no checksum: the original does, as it reads on.
    ///
    /// - Parameter other: The other one.
    init(copying other: ImageDataInflater) {
        file = other.file
        inflate = Inflate(
            copying: other.inflate,
            chunks: ImageDataChunks(
                descriptor: file.descriptor, length: file.length,
                at: other.inflate.input.chunks.position, strictness: .unchecked))
    }

    /// How far the file was read, in bytes from its start.
    var offset: Int { inflate.input.chunks.offset }

    /// Inflates.
    ///
    /// - Parameter buffer: Room for what comes.
    /// - Returns: How many bytes came; fewer than there is room for where a damaged file ends.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(DecodingFault) -> Int {
        let count = try inflate.read(into: buffer)
        if count < buffer.count { try judge(inflate.damage ?? .shortage) }
        return count
    }

    /// Reads what follows the last row: the end of the stream with its checksum.
    ///
    /// Bytes of further rows are passed over, as libpng does.
    ///
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    func finish() throws(DecodingFault) {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) {
            (surplus) throws(DecodingFault) in
            guard try inflate.read(into: surplus) < surplus.count, let damage = inflate.damage
            else { return }
            try judge(damage)
        }
    }

    /// Passes over some of the image data that follow the stream.
    ///
    /// - Returns: Where the chunk behind the image data begins, in bytes from the start of the
    ///   file, or where the file ends; nil before that.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    func skipRest() throws(DecodingFault) -> Int? {
        try inflate.input.chunks.withBytes(\.count)
        return inflate.input.chunks.end == nil ? nil : inflate.input.chunks.offset
    }

    private func judge(_ damage: Inflate.Damage) throws(DecodingFault) {
        guard !file.isTolerant else { return }
        let code: DecodingFault.Code =
            switch damage {
            case .shortage where inflate.input.chunks.end == .ofFile: .truncated
            case .emptyBlocks: .overCeiling
            default: .corrupt
            }
        throw DecodingFault(code, at: offset, damage.rawValue)
    }
}
