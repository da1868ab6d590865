/// Header of an animated WebP, up to its first frame (RFC 9649, sections 2.7 and 2.7.1).
struct WebPAnimationHead {
    let width: Int
    let height: Int
    /// Number of plays; 0 for endless.
    let loopCount: Int
    /// File range of the ICC profile, which precedes ANIM; nil without one.
    let profile: Range<Int>?

    private static let maximumChunks = 64

    /// Throws `unsupported` for a still picture.
    init(_ reader: inout LittleEndianReader) throws(DecodingFault) {
        guard try reader.fourCC() == "RIFF", try reader.uint32() > 0, try reader.fourCC() == "WEBP"
        else { throw DecodingFault(.corrupt, at: 0, "it is not a WebP file") }
        guard try reader.fourCC() == "VP8X" else { throw Self.isStill }
        let length = try reader.uint32()
        let start = reader.offset
        let flags = try reader.uint32()
        guard flags & 0x02 != 0 else { throw Self.isStill }
        (width, height) = (1 + (try reader.uint24()), 1 + (try reader.uint24()))
        reader.seek(to: start + length + length & 1)
        var profile: Range<Int>?
        for _ in 0..<Self.maximumChunks {
            let chunk = try reader.chunk()
            if chunk.type == "ICCP", flags & 0x20 != 0, profile == nil {
                profile = chunk.start..<chunk.start + chunk.length
            }
            guard chunk.type == "ANIM" else {
                reader.seek(to: chunk.next)
                continue
            }
            _ = try reader.uint32()  // The background colour.
            loopCount = try reader.uint16()
            self.profile = profile
            reader.seek(to: chunk.next)
            return
        }
        throw DecodingFault(.corrupt, at: reader.offset, "the ANIM chunk is missing")
    }

    private static let isStill = DecodingFault(.unsupported, at: 12, "it is not an animation")
}

/// A frame of an animated WebP: its ANMF header (section 2.7.1.1).
struct WebPAnimationFrame {
    let rect: PixelRect
    let milliseconds: Int
    /// True if the frame is alpha-blended over the canvas; otherwise it replaces the canvas.
    let isBlended: Bool
    let isCleared: Bool
    let data: Range<Int>
    let isComplete: Bool

    /// Leaves `reader` behind the frame; nil after the last.
    init?(_ reader: inout LittleEndianReader, length: Int) throws(DecodingFault) {
        // Every chunk takes at least eight bytes, so the file length bounds the loop.
        while length - reader.offset >= 8 {
            let chunk = try reader.chunk()
            let end = chunk.start + chunk.length
            guard chunk.type == "ANMF" else {
                reader.seek(to: chunk.next)
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
            reader.seek(to: chunk.next)
            return
        }
        return nil
    }
}
