/// A frame of an animated PNG, as its fcTL chunk describes it (PNG specification, third edition,
/// 11.3.6.2).
struct APNGFrame {
    /// Bytes of the chunk's data.
    static let byteCount = 26

    /// Where it is drawn.
    let rect: PixelRect
    /// How long it is shown, in thousandths of a second.
    let milliseconds: Int
    /// What becomes of it.
    let disposal: FrameDisposal.Method
    /// Whether it is laid over what is there; else it replaces it.
    let isBlended: Bool
    /// The first chunk of its data; nil when there is none.
    var firstData: APNGChunks.Chunk?
    /// Whether all of its data are there.
    var isComplete = true

    /// Reads a description.
    ///
    /// - Parameters:
    ///   - data: The data of the chunk.
    ///   - offset: Where they stand in the file, in bytes from its start.
    /// - Throws: `corrupt`.
    init(_ data: [UInt8], at offset: Int) throws(DecodingFault) {
        guard data.count == Self.byteCount else {
            throw DecodingFault(.corrupt, at: offset, "a frame's description is too short")
        }
        let number = { (range: Range<Int>) in data[range].reduce(0) { $0 << 8 | Int($1) } }
        let (width, height) = (number(4..<8), number(8..<12))
        let (left, top) = (number(12..<16), number(16..<20))
        guard width > 0, height > 0 else {
            throw DecodingFault(.corrupt, at: offset + 4, "a frame has no pixels")
        }
        rect = PixelRect(left: left, top: top, right: left + width, bottom: top + height)
        // Hundredths where the file says zeroths.
        let parts = number(22..<24) == 0 ? 100 : number(22..<24)
        milliseconds = number(20..<22) * 1000 / parts
        guard data[24] <= 2, data[25] <= 1 else {
            throw DecodingFault(.corrupt, at: offset + 24, "an unknown way to draw a frame")
        }
        disposal = [.keep, .restoreBackground, .restorePrevious][Int(data[24])]
        isBlended = data[25] == 1
    }

    /// Opens the data of the frame.
    ///
    /// - Parameters:
    ///   - descriptor: The file; it stays the caller's.
    ///   - length: Its length, in bytes.
    ///   - isTolerant: Whether checksums are not looked at.
    /// - Returns: Its rows with their filters, inflated.
    /// - Throws: `truncated`, `unreadable`.
    func open(
        descriptor: CInt, length: Int, isTolerant: Bool
    ) throws(DecodingFault) -> ImageDataInflater {
        guard let chunk = firstData else {
            throw DecodingFault(.truncated, at: length, "a frame has no data")
        }
        var file = ImageDataInflater.File(
            descriptor: descriptor, length: length, isTolerant: isTolerant)
        guard chunk.header.type == .frameData else {
            return ImageDataInflater(file, at: chunk.offset, chunkLength: chunk.header.length)
        }
        var window = FileWindow(
            descriptor: descriptor, over: chunk.offset..<max(length, chunk.offset), capacity: 4)
        guard chunk.header.length >= 4, let number = try window.readUInt32() else {
            throw DecodingFault(.truncated, at: chunk.offset, "a frame has no data")
        }
        file.type = .frameData
        return ImageDataInflater(
            file, at: chunk.offset + 4, chunkLength: chunk.header.length - 4,
            checksum: ChunkChecksum.of(number, after: ChunkChecksum.of(.frameData)))
    }
}
