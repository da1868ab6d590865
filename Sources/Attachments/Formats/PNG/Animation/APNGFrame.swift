import AttachmentModel

/// A frame of an animated PNG: its fcTL chunk (PNG specification, third edition, 11.3.6.2) and the
/// place of its data.
struct APNGFrame {
    static let byteCount = 26

    let rect: PixelRect
    let milliseconds: Int
    let disposal: FrameDisposal.Method
    /// True for `APNG_BLEND_OP_OVER`; otherwise the frame replaces the canvas.
    let isBlended: Bool
    var firstData: PNGChunk?
    var isComplete = true

    /// Reads the chunk's data, of `byteCount` bytes.
    init(_ data: [UInt8], at offset: Int) throws(DecodingFault) {
        let number = { (range: Range<Int>) in data[range].reduce(0) { $0 << 8 | Int($1) } }
        let (width, height) = (number(4..<8), number(8..<12))
        let (left, top) = (number(12..<16), number(16..<20))
        guard width > 0, height > 0 else {
            throw DecodingFault(.corrupt, at: offset + 4, "a frame has no pixels")
        }
        rect = PixelRect(left: left, top: top, right: left + width, bottom: top + height)
        // A denominator of 0 means 100 (11.3.6.2).
        let denominator = number(22..<24) == 0 ? 100 : number(22..<24)
        milliseconds = number(20..<22) * 1000 / denominator
        guard data[24] <= 2, data[25] <= 1 else {
            throw DecodingFault(.corrupt, at: offset + 24, "an unknown disposal or blend method")
        }
        disposal = [.keep, .restoreBackground, .restorePrevious][Int(data[24])]
        isBlended = data[25] == 1
    }

    func open(_ file: OpenFile, isTolerant: Bool) throws(DecodingFault) -> ImageDataInflater {
        guard let chunk = firstData else {
            throw DecodingFault(.truncated, at: file.length, "a frame has no data")
        }
        var source = ImageDataInflater.Source(file: file, isTolerant: isTolerant)
        guard chunk.type == .frameData else {
            return try ImageDataInflater(source, at: chunk.offset, chunkLength: chunk.length)
        }
        var window = FileWindow(
            file, over: chunk.offset..<max(file.length, chunk.offset), capacity: 4)
        guard chunk.length >= 4, let number = try window.readUInt32() else {
            throw DecodingFault(.truncated, at: chunk.offset, "a frame has no data")
        }
        source.type = .frameData
        return try ImageDataInflater(
            source, at: chunk.offset + 4, chunkLength: chunk.length - 4,
            checksum: ChunkChecksum.of(number, after: ChunkChecksum.of(.frameData)))
    }
}
