internal import AttachmentContainer
internal import AttachmentModel

/// Parser for GIF headers: the screen, the first frame and the number of frames (GIF89a).
struct GIFProbe {
    private let reader: BoundedReader
    private var cursor: Cursor
    private var hasTransparentIndex = false
    private var hasTransparentFrame = false
    private var hasMetadata = false
    /// Delay of the next frame, in hundredths of a second.
    private var delay = 0
    private var milliseconds = 0
    private var loopCount = 1
    private var isFirstTruncated = false

    /// Parses a file that begins with `GIF87a` or `GIF89a`.
    ///
    /// The stored size is the logical screen (section 18), enlarged if the first frame exceeds it,
    /// as decoders do. An implausible screen is ignored. A truncated file counts its frames up to
    /// the end. If the frames exceed the read limit, the count is nil and metadata is assumed. A first
    /// frame beyond that limit is read on up to ``firstFrameBudget``, so that a still is known as one.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        var probe = GIFProbe(reader: reader, cursor: Cursor(reader, from: 6, .little))
        let (width, height) = (try probe.cursor.uint16(), try probe.cursor.uint16())
        let plausible = GIFLogicalScreen.plausibleSize(Int(width), Int(height))
        let screen = try PixelSize(claimed: plausible.width, plausible.height)
        let flags = try probe.cursor.uint8()
        try probe.cursor.skip(2)
        let globalBits = try probe.skipColourTable(flags)

        guard let first = try probe.nextFrame() else {
            throw .corrupt("a GIF without a picture", at: probe.cursor.offset)
        }
        let isTransparent =
            probe.hasTransparentIndex
            || !first.rect.covers(width: screen.width, height: screen.height)
        let bits = try probe.skipColourTable(first.flags) ?? globalBits
        let lacksColours = probe.lacksColours(of: bits)
        let frameCount = probe.countFrames()
        if frameCount == 1, probe.cursor.remaining > 0 { probe.hasMetadata = true }
        var header = AttachmentHeader(
            GIFCoding(),
            storedSize: PixelSize(
                width: max(screen.width, first.rect.right),
                height: max(screen.height, first.rect.bottom)),
            colourModel: .palette,
            // Missing pixels are transparent, and so may be indices outside the colour table.
            hasAlpha: isTransparent || probe.isFirstTruncated
                || lacksColours && (probe.hasTransparentFrame || frameCount == nil),
            bitsPerSample: bits ?? 8,
            frameCount: frameCount,
            timing: AnimationTiming(
                frameCount, milliseconds: probe.milliseconds, loopCount: probe.loopCount),
            hasMetadata: probe.hasMetadata, fileBytes: ByteCount(reader.length))
        // Decoders disagree about the canvas of a picture that does not fill the screen.
        header.mustBeEncoded =
            first.rect != PixelRect(left: 0, top: 0, right: Int(width), bottom: Int(height))
        return header
    }

    /// Image descriptor of the next frame (section 20).
    private mutating func nextFrame() throws(HeaderFault) -> (rect: PixelRect, flags: UInt8)? {
        while true {
            switch try cursor.uint8() {
            case 0x00: break  // Padding, which browsers skip.
            case GIFBlock.image:
                let (left, top) = (Int(try cursor.uint16()), Int(try cursor.uint16()))
                let (width, height) = (Int(try cursor.uint16()), Int(try cursor.uint16()))
                let flags = try cursor.uint8()
                milliseconds += AnimationTiming.shown(delay * 10)
                delay = 0
                return (
                    PixelRect(left: left, top: top, right: left + width, bottom: top + height),
                    flags
                )
            case GIFBlock.extension: try readExtension()
            case GIFBlock.trailer: return nil
            default: throw .corrupt("an unknown block", at: cursor.offset - 1)
            }
        }
    }

    /// True if the next frame's data may contain indices outside its colour table.
    private func lacksColours(of bits: Int?) -> Bool {
        var data = cursor
        guard let codeSize = try? data.uint8() else { return true }
        return codeSize > bits ?? 0
    }

    private mutating func countFrames() -> Int? {
        let start = cursor.offset
        var count = 1
        do throws(HeaderFault) {
            while try skipFrame(count) { count += 1 }
            return count
        } catch {
            guard error == .overBudget else { return count }
            if count == 1, isStill(from: start) { return 1 }
            isFirstTruncated = false
            hasMetadata = true
            return nil
        }
    }

    /// Skips the data of a frame; true if another frame follows.
    private mutating func skipFrame(_ number: Int) throws(HeaderFault) -> Bool {
        try cursor.skip(1)
        isFirstTruncated = number == 1
        try skipSubBlocks()
        isFirstTruncated = false
        guard let next = try nextFrame() else { return false }
        _ = try skipColourTable(next.flags)
        return true
    }

    /// True if no frame follows the first, whose data begin at `start`, within ``firstFrameBudget``.
    ///
    /// As an animation, a still of many pixels would need a canvas in a file, which takes several
    /// times the processor time.
    private mutating func isStill(from start: Int) -> Bool {
        let reader = reader.separate(
            budget: Self.firstFrameBudget, windowBytes: Self.firstFrameWindow)
        cursor = Cursor(reader, from: start, .little)
        do throws(HeaderFault) {
            return try !skipFrame(1)
        } catch {
            return error != .overBudget
        }
    }

    /// Covers a still of 64 megapixels, whose indices of eight bits LZW hardly lengthens.
    ///
    /// All of it takes 4,096 reads.
    private static let firstFrameBudget = ByteCount.mebibytes(64)
    /// Lengths of sub-blocks are at most 256 bytes apart, so that every page is read anyway.
    private static let firstFrameWindow = 16 << 10

    private mutating func readExtension() throws(HeaderFault) {
        let label = try cursor.uint8()
        let length = Int(try cursor.uint8())
        guard length > 0 else { return }
        var block = try cursor.take(length)
        switch label {
        case GIFBlock.Label.graphicControl:
            hasTransparentIndex = try block.uint8() & 1 == 1
            hasTransparentFrame = hasTransparentFrame || hasTransparentIndex
            if block.remaining >= 2 { delay = Int(try block.uint16()) }
        case GIFBlock.Label.application where try block.starts(with: "NETSCAPE", "ANIMEXTS"):
            loopCount = try readRepetitions(of: cursor) ?? loopCount
        default:
            hasMetadata = true
        }
        try skipSubBlocks()
    }

    /// 0 means infinite; other values count repetitions after the first run, as in all browsers.
    private func readRepetitions(of block: Cursor) throws(HeaderFault) -> Int? {
        var block = block
        guard try block.uint8() == 3, try block.uint8() == 1 else { return nil }
        let repetitions = Int(try block.uint16())
        return repetitions == 0 ? 0 : repetitions + 1
    }

    private mutating func skipSubBlocks() throws(HeaderFault) {
        while true {
            let length = Int(try cursor.uint8())
            guard length > 0 else { return }
            try cursor.skip(length)
        }
    }

    private mutating func skipColourTable(_ flags: UInt8) throws(HeaderFault) -> Int? {
        guard flags & 0x80 != 0 else { return nil }
        let bits = Int(flags & 7) + 1
        try cursor.skip(3 << bits)
        return bits
    }
}

extension AnimationTiming {
    /// Nil for a still; an unknown number of frames has an unknown duration.
    init?(_ frameCount: Int?, milliseconds: Int, loopCount: Int) {
        guard frameCount != 1 else { return nil }
        self.init(
            seconds: frameCount == nil ? nil : Double(milliseconds) / 1000, loopCount: loopCount)
    }
}

extension PictureFormat {
    package static let gif = PictureFormat("GIF87a", "GIF89a", probe: GIFProbe.header)
}
