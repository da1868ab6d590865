internal import AttachmentContainer
internal import AttachmentPlanning

/// Reads a GIF header: the screen, the first picture, and how many pictures there are (GIF89a).
struct GIFProbe {
    private var cursor: Cursor
    private var hasTransparentIndex = false
    private var hasTransparentFrame = false
    private var hasMetadata = false
    /// How long the next picture is shown, in hundredths of a second.
    private var delay = 0
    /// How long all pictures up to now are shown, in thousandths of a second.
    private var milliseconds = 0
    private var loopCount = 1
    /// Whether the file ends within the data of the first picture.
    private var isFirstCut = false

    /// Reads the header of a file that begins with `GIF87a` or `GIF89a`.
    ///
    /// The stored size is that of the logical screen (section 18), made larger where the first
    /// picture goes beyond it, since decoders make room for it; of the first picture alone where the
    /// screen is not to be believed.
    ///
    /// - Parameter reader: The file.
    /// - Returns: What the header says. Pictures are counted up to the end of a cut file; the count
    ///   is nil, and metadata is assumed, when they take more than may be read.
    /// - Throws: `HeaderFault` of any kind.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        var probe = GIFProbe(cursor: Cursor(reader, from: 6, .little))
        let (width, height) = (try probe.cursor.uint16(), try probe.cursor.uint16())
        let believed = GIFLogicalScreen.plausibleSize(Int(width), Int(height))
        let screen = try PixelSize(claimed: believed.width, believed.height)
        let flags = try probe.cursor.uint8()
        try probe.cursor.skip(2)
        let globalBits = try probe.skipColourTable(flags)

        guard let first = try probe.nextPicture() else {
            throw .corrupt("a GIF without a picture", at: probe.cursor.offset)
        }
        let isTransparent = probe.hasTransparentIndex || !first.covers(screen)
        let bits = try probe.skipColourTable(first.flags) ?? globalBits
        let lacksColours = probe.lacksColours(of: bits)
        let frameCount = probe.countPictures()
        return AttachmentHeader(
            format: .gif, coding: .palette,
            storedSize: PixelSize(
                width: max(screen.width, first.right), height: max(screen.height, first.bottom)),
            colourModel: .palette,
            // Pixels that are missing are blank, and those without a colour where any may be.
            hasAlpha: isTransparent || probe.isFirstCut
                || lacksColours && (probe.hasTransparentFrame || frameCount == nil),
            bitsPerSample: bits ?? 8,
            frameCount: frameCount, timing: probe.timing(frameCount),
            hasMetadata: probe.hasMetadata, fileBytes: ByteCount(reader.length))
    }

    /// Goes on to the next picture and reads its descriptor; nil at the trailer.
    private mutating func nextPicture() throws(HeaderFault) -> Picture? {
        while true {
            switch try cursor.uint8() {
            case 0x00: break  // Padding, which browsers pass over.
            case 0x2C:
                let picture = try Picture(&cursor)
                milliseconds += AnimationTiming.shown(delay * 10)
                delay = 0
                return picture
            case 0x21: try readExtension()
            case 0x3B: return nil
            default: throw .corrupt("an unknown block", at: cursor.offset - 1)
            }
        }
    }

    /// Whether indices of the picture whose data come next may stand for no colour.
    private func lacksColours(of bits: Int?) -> Bool {
        var data = cursor
        guard let codeSize = try? data.uint8() else { return true }
        return codeSize > bits ?? 0
    }

    /// Counts the first picture, in whose colour table the cursor no longer stands, and the rest.
    private mutating func countPictures() -> Int? {
        var count = 1
        do throws(HeaderFault) {
            while true {
                try cursor.skip(1)
                isFirstCut = count == 1
                try skipSubBlocks()
                isFirstCut = false
                guard let next = try nextPicture() else { return count }
                count += 1
                _ = try skipColourTable(next.flags)
            }
        } catch {
            guard error == .overBudget else { return count }
            isFirstCut = false
            hasMetadata = true
            return nil
        }
    }

    private mutating func readExtension() throws(HeaderFault) {
        let label = try cursor.uint8()
        let length = Int(try cursor.uint8())
        guard length > 0 else { return }
        var block = try cursor.take(length)
        switch label {
        case 0xF9:
            hasTransparentIndex = try block.uint8() & 1 == 1
            hasTransparentFrame = hasTransparentFrame || hasTransparentIndex
            if block.remaining >= 2 { delay = Int(try block.uint16()) }
        case 0xFF where try block.starts(with: "NETSCAPE", "ANIMEXTS"):
            loopCount = try readRepetitions(of: cursor) ?? loopCount
        default:
            hasMetadata = true
        }
        try skipSubBlocks()
    }

    /// Reads how often the animation is repeated after its first run: a sub-block of a one and two
    /// bytes, in which 0 is for without end (Mozilla and all others read it so).
    private func readRepetitions(of block: Cursor) throws(HeaderFault) -> Int? {
        var block = block
        guard try block.uint8() == 3, try block.uint8() == 1 else { return nil }
        let repetitions = Int(try block.uint16())
        return repetitions == 0 ? 0 : repetitions + 1
    }

    /// How the pictures follow each other; nil for a still.
    private func timing(_ frameCount: Int?) -> AnimationTiming? {
        guard frameCount != 1 else { return nil }
        return AnimationTiming(
            seconds: frameCount == nil ? nil : Double(milliseconds) / 1000, loopCount: loopCount)
    }

    private mutating func skipSubBlocks() throws(HeaderFault) {
        while true {
            let length = Int(try cursor.uint8())
            guard length > 0 else { return }
            try cursor.skip(length)
        }
    }

    /// Passes over the colour table that flags announce and tells the bits of an index into it.
    private mutating func skipColourTable(_ flags: UInt8) throws(HeaderFault) -> Int? {
        guard flags & 0x80 != 0 else { return nil }
        let bits = Int(flags & 7) + 1
        try cursor.skip(3 << bits)
        return bits
    }
}

extension GIFProbe {
    /// An image descriptor (section 20).
    private struct Picture {
        let left: Int
        let top: Int
        let right: Int
        let bottom: Int
        let flags: UInt8

        init(_ cursor: inout Cursor) throws(HeaderFault) {
            (left, top) = (Int(try cursor.uint16()), Int(try cursor.uint16()))
            (right, bottom) = (left + Int(try cursor.uint16()), top + Int(try cursor.uint16()))
            flags = try cursor.uint8()
        }

        func covers(_ screen: PixelSize) -> Bool {
            left == 0 && top == 0 && right >= screen.width && bottom >= screen.height
        }
    }
}
