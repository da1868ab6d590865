internal import AttachmentContainer
internal import AttachmentModel

/// Parser for the chunks of the container (RFC 9649, section 2).
///
/// The orientation in an `EXIF` chunk applies, as in libvips 8.14.
struct WebPProbe {
    private var bitstream: WebPBitstream?
    private var orientation: Orientation?
    private var profileBytes = 0
    private var frames = 0
    private var milliseconds = 0
    private var loopCount = 0
    private var hasAlpha = false
    private var hasMetadata = false

    /// If the frames exceed the read limit, the frame count is nil and later chunks are unknown.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        var riff = Cursor(reader, from: 4, .little)
        var chunks = Cursor(reader, from: 12, to: 8 + Int(try riff.uint32()), .little)
        var probe = WebPProbe()
        let first = try Chunk(&chunks)
        guard first.type == "VP8X" else {
            try probe.read(first)
            return try probe.header(reader, canvas: nil, frameCount: 1)
        }
        let features = try Features(first)
        try chunks.skip(first.paddedLength)
        probe.hasAlpha = features.hasAlpha
        probe.hasMetadata = features.hasMetadata
        var isWhole = true
        do throws(HeaderFault) {
            // Without a picture the walk continues to the end, where it throws the precise fault.
            while chunks.remaining > 0 || probe.bitstream == nil {
                let chunk = try Chunk(&chunks)
                try probe.read(chunk)
                try chunks.skip(chunk.paddedLength)
            }
        } catch {
            // The decoder reports faults after the first picture.
            guard probe.bitstream != nil else { throw error }
            isWhole = error != .overBudget
        }
        let frameCount = features.isAnimated ? (isWhole ? max(probe.frames, 1) : nil) : 1
        return try probe.header(reader, canvas: features.canvas, frameCount: frameCount)
    }

    private mutating func read(_ chunk: Chunk) throws(HeaderFault) {
        switch chunk.type {
        case "VP8 ", "VP8L":
            try readPicture(chunk)
        case "ALPH":
            hasAlpha = true
        case "ANMF":
            frames += 1
            // After position and size, three bytes each (2.7.1.1).
            var duration = chunk.payload.advanced(by: 12)
            milliseconds += AnimationTiming.shown(try duration.uint24())
            guard bitstream == nil else { break }
            try readFirstFrame(chunk.payload)
        case "ICCP":
            profileBytes = chunk.length
            hasMetadata = true
        case "EXIF":
            orientation = orientation ?? Orientation(exif: chunk.payload)
            hasMetadata = true
        case "ANIM" where chunk.length >= 6:
            // After the background colour (2.7.1.1).
            var count = chunk.payload.advanced(by: 4)
            loopCount = Int(try count.uint16())
        case "ANIM":
            break
        default:
            hasMetadata = true
        }
    }

    private mutating func readFirstFrame(_ body: Cursor) throws(HeaderFault) {
        var chunks = body.advanced(by: 16)
        while bitstream == nil {
            let chunk = try Chunk(&chunks)
            if ["ALPH", "VP8 ", "VP8L"].contains(chunk.type) { try read(chunk) }
            try chunks.skip(chunk.paddedLength)
        }
    }

    private mutating func readPicture(_ chunk: Chunk) throws(HeaderFault) {
        guard bitstream == nil else { return }
        var body = chunk.payload
        let found = try WebPBitstream(&body, isLossless: chunk.type == "VP8L")
        hasAlpha = hasAlpha || found.hasAlpha
        bitstream = found
    }

    private func header(
        _ reader: BoundedReader, canvas: PixelSize?, frameCount: Int?
    ) throws(HeaderFault) -> AttachmentHeader {
        guard let bitstream else { throw .corrupt("a WebP without a picture", at: 12) }
        if let canvas, frames == 0, canvas != bitstream.size {
            throw .corrupt("a canvas of \(canvas) for a picture of \(bitstream.size)", at: 20)
        }
        return AttachmentHeader(
            bitstream.isLossless ? WebPCoding.lossless : .lossy,
            storedSize: canvas ?? bitstream.size, orientation: orientation ?? .upright,
            colourModel: .rgb, hasAlpha: hasAlpha, frameCount: frameCount,
            timing: AnimationTiming(frameCount, milliseconds: milliseconds, loopCount: loopCount),
            profileBytes: profileBytes, hasMetadata: hasMetadata,
            fileBytes: ByteCount(reader.length))
    }
}

extension WebPProbe {
    private struct Features {
        let canvas: PixelSize
        let hasAlpha: Bool
        let hasMetadata: Bool
        let isAnimated: Bool

        init(_ chunk: Chunk) throws(HeaderFault) {
            var body = chunk.payload
            let flags = try body.uint8()
            try body.skip(3)
            let (width, height) = (try body.uint24(), try body.uint24())
            canvas = try PixelSize(claimed: width + 1, height + 1)
            guard canvas.pixelCount <= UInt32.max else {
                throw .corrupt("a canvas of \(canvas)", at: chunk.payload.offset + 4)
            }
            hasAlpha = flags & 0x10 != 0
            // ICC profile, Exif, XMP.
            hasMetadata = flags & 0x2C != 0
            isAnimated = flags & 0x02 != 0
        }
    }
}

extension PictureFormat {
    package static let webp = PictureFormat("RIFF????WEBP", probe: WebPProbe.header)
}
