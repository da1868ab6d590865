/// What stands in front of the frames of an animated WebP (RFC 9649, sections 2.7 and 2.7.1).
struct WebPAnimationHead {
    let width: Int
    let height: Int
    /// How often the animation is played; 0 for without end.
    let loopCount: Int

    /// Chunks that are looked at for the one that begins an animation.
    private static let mostChunks = 64

    /// Reads up to the first frame.
    ///
    /// - Parameter reader: The file, at its start.
    /// - Throws: `corrupt`, `truncated`, `unsupported` for a still picture, `unreadable`.
    init(_ reader: inout LittleEndianReader) throws(DecodingFault) {
        guard try reader.uint32() == WebPContainer.code("RIFF"), try reader.uint32() > 0,
            try reader.uint32() == WebPContainer.code("WEBP")
        else { throw DecodingFault(.corrupt, at: 0, "it is no WebP file") }
        guard try reader.uint32() == WebPContainer.code("VP8X") else { throw Self.isStill }
        let length = try reader.uint32()
        let start = reader.offset
        guard try reader.uint32() & 2 != 0 else { throw Self.isStill }
        (width, height) = (1 + (try reader.uint24()), 1 + (try reader.uint24()))
        reader.seek(to: start + length + length & 1)
        for _ in 0..<Self.mostChunks {
            let type = try reader.uint32()
            let length = try reader.uint32()
            let end = reader.offset + length + length & 1
            if type == WebPContainer.code("ANIM") {
                _ = try reader.uint32()  // The background colour.
                loopCount = try reader.uint16()
                reader.seek(to: end)
                return
            }
            reader.seek(to: end)
        }
        throw DecodingFault(.corrupt, at: reader.offset, "nothing begins the animation")
    }

    private static let isStill = DecodingFault(.unsupported, at: 12, "it is not an animation")
}

/// A frame, as what stands in front of its picture describes it (section 2.7.1.1).
struct WebPAnimationFrame {
    /// Where it is drawn.
    let rect: PixelRect
    /// How long it is shown, in thousandths of a second.
    let milliseconds: Int
    /// Whether it is laid over what is there; else it replaces it.
    let isBlended: Bool
    /// Whether its rectangle becomes blank before the next frame is drawn.
    let isCleared: Bool
    /// The chunks of its picture, as far as the file has them.
    let data: Range<Int>
    /// Whether the file has all of them.
    let isComplete: Bool

    /// Goes to the next frame and reads its description; there is none when no frame follows.
    ///
    /// - Parameters:
    ///   - reader: The file, at the start of a chunk; stands behind the frame then.
    ///   - length: The length of the file, in bytes.
    /// - Throws: `corrupt`, `truncated`, `unreadable`.
    init?(_ reader: inout LittleEndianReader, length: Int) throws(DecodingFault) {
        // Every chunk takes eight bytes at least, so that the file bounds the loop.
        while length - reader.offset >= 8 {
            let type = try reader.uint32()
            let claimed = try reader.uint32()
            let end = reader.offset + claimed
            guard type == WebPContainer.code("ANMF") else {
                reader.seek(to: end + claimed & 1)
                continue
            }
            let (left, top) = (2 * (try reader.uint24()), 2 * (try reader.uint24()))
            let (width, height) = (1 + (try reader.uint24()), 1 + (try reader.uint24()))
            rect = PixelRect(left: left, top: top, right: left + width, bottom: top + height)
            milliseconds = try reader.uint24()
            let flags = try reader.uint8()
            (isBlended, isCleared) = (flags & 2 == 0, flags & 1 != 0)
            guard reader.offset <= end else {
                throw DecodingFault(.corrupt, at: reader.offset, "a frame is too short")
            }
            data = reader.offset..<max(reader.offset, min(end, length))
            isComplete = end <= length
            reader.seek(to: end + claimed & 1)
            return
        }
        return nil
    }
}
