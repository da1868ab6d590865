internal import AttachmentContainer
internal import AttachmentModel

/// Parser for PNG headers: the chunks around the image data (PNG specification, third edition).
struct PNGProbe {
    private let size: PixelSize
    private let bitDepth: Int
    private let colourType: PNGColourType
    private let isInterlaced: Bool
    private var orientation: Orientation?
    private var profileBytes = 0
    private var frameCount = 1
    private var timing: AnimationTiming?
    /// True after the image data; animation chunks must precede it.
    private var isAfterImageData = false
    private var hasPalette = false
    private var hasTransparency = false
    private var hasMetadata = false
    private var colours = PNGColourChunks()

    /// Reads on after the image data, where Exif and text may stand; if that part is unreadable,
    /// metadata is assumed.
    static func header(_ reader: BoundedReader) throws(HeaderFault) -> AttachmentHeader {
        var cursor = Cursor(reader, from: 8)
        var probe = try PNGProbe(&cursor)
        try probe.read(&cursor, until: "IDAT")
        guard probe.colourType != .palette || probe.hasPalette else {
            throw .corrupt("a palette picture without its palette", at: cursor.offset)
        }
        probe.isAfterImageData = true
        do throws(HeaderFault) {
            try probe.read(&cursor, until: "IEND")
        } catch {
            probe.hasMetadata = true
            // Some frames were not read, so the duration is unknown.
            probe.timing?.seconds = nil
        }
        return probe.header(fileBytes: reader.length)
    }

    private init(_ cursor: inout Cursor) throws(HeaderFault) {
        let chunk = try PNGChunk(&cursor)
        guard chunk.type != "CgBI" else {
            throw .unsupported("a PNG optimised for Apple devices by Xcode (CgBI)")
        }
        guard chunk.type == .imageHeader, chunk.length == PNGImageHeader.byteCount else {
            throw .corrupt("a PNG that does not begin with its header", at: cursor.offset - 8)
        }
        var body = try chunk.body(&cursor)
        let start = body.offset
        var data: [UInt8] = []
        for _ in 0..<PNGImageHeader.byteCount { data.append(try body.uint8()) }
        let header = PNGImageHeader(data)
        guard max(header.width, header.height) <= Int32.max else {
            throw .corrupt("a side longer than 2147483647 pixels", at: start)
        }
        size = try PixelSize(claimed: header.width, header.height)
        guard let colourType = header.colourType else {
            throw .corrupt(
                "colour type \(header.typeNumber) with \(header.bitDepth) bits", at: start + 8)
        }
        (self.colourType, bitDepth) = (colourType, header.bitDepth)
        guard header.methods[0] == 0, header.methods[1] == 0 else {
            throw .corrupt("an unknown compression or filter method", at: start + 10)
        }
        guard header.methods[2] <= 1 else {
            throw .corrupt("an unknown interlace method", at: start + 12)
        }
        isInterlaced = header.isInterlaced
    }

    private mutating func read(_ cursor: inout Cursor, until last: FourCC) throws(HeaderFault) {
        while true {
            var next = cursor
            let chunk = try PNGChunk(&next)
            if chunk.type == last { return }
            guard chunk.type != "IEND" else {
                throw .corrupt("a PNG without image data", at: cursor.offset)
            }
            var body = try chunk.body(&next)
            try read(&body, of: chunk)
            if chunk.type == .imageData {
                try cursor.skipChunks(like: chunk)
            } else {
                cursor = next
            }
        }
    }

    private mutating func read(_ body: inout Cursor, of chunk: PNGChunk) throws(HeaderFault) {
        switch chunk.type {
        case "PLTE":
            guard chunk.length % 3 == 0, (3...768).contains(chunk.length) else {
                throw .corrupt("a palette of \(chunk.length) bytes", at: body.offset)
            }
            hasPalette = true
        case "tRNS":
            hasTransparency = true
        case "acTL" where !isAfterImageData && chunk.length == 8:
            frameCount = max(Int(try body.uint32()), 1)
            let plays = Int(try body.uint32())
            timing = AnimationTiming(seconds: 0, loopCount: plays)
        case "fcTL" where chunk.length == 26:
            timing?.seconds? += try Self.seconds(body)
        case "IDAT", "acTL", "fcTL", "fdAT", "pHYs", "bKGD", "sBIT":
            break
        case "iCCP":
            hasMetadata = true
            profileBytes = try Self.profileLength(body)
        case _ where PNGColourChunks.types.contains(chunk.type):
            hasMetadata = hasMetadata || chunk.type != "sRGB"
            guard !hasPalette, !isAfterImageData, chunk.length <= PNGColourChunks.longest
            else { break }
            colours.add(chunk.type, try Self.bytes(of: body))
        case "eXIf":
            hasMetadata = true
            orientation = orientation ?? Orientation(exif: body)
        default:
            guard chunk.type.isAncillary else {
                throw .corrupt("an unknown chunk \(chunk.type)", at: body.offset - 8)
            }
            hasMetadata = true
        }
    }

    /// Frame delay as viewers apply it, from an `fcTL` chunk; a denominator of 0 means 100
    /// (11.3.6.2).
    private static func seconds(_ body: Cursor) throws(HeaderFault) -> Double {
        var fields = body.advanced(by: 20)
        let (numerator, denominator) = (Int(try fields.uint16()), Int(try fields.uint16()))
        let milliseconds = numerator * 1000 / (denominator == 0 ? 100 : denominator)
        return Double(AnimationTiming.shown(milliseconds)) / 1000
    }

    /// Length of the profile by its own header; of an unreadable one, its compressed length.
    private static func profileLength(_ body: Cursor) throws(HeaderFault) -> Int {
        let data = try bytes(of: body.prefix(ColourProfile.compressedPrefix))
        return ColourProfile.length(inChunk: data) ?? body.remaining
    }

    private static func bytes(of body: Cursor) throws(HeaderFault) -> [UInt8] {
        var (body, bytes): (Cursor, [UInt8]) = (body, [])
        while body.remaining > 0 { bytes.append(try body.uint8()) }
        return bytes
    }

    private func header(fileBytes: Int) -> AttachmentHeader {
        var header = AttachmentHeader(
            PNGCoding(isInterlaced: isInterlaced), storedSize: size,
            orientation: orientation ?? .upright, colourModel: colourType.model,
            hasAlpha: colourType.hasAlpha || hasTransparency, bitsPerSample: bitDepth,
            frameCount: frameCount, timing: frameCount == 1 ? nil : timing,
            profileBytes: profileBytes, hasMetadata: hasMetadata, fileBytes: ByteCount(fileBytes))
        header.colourTags = colours.tags(isGrey: colourType.isGrey)
        return header
    }
}

extension PNGColourType {
    fileprivate var model: ColourModel {
        switch self {
        case .grey, .greyAlpha: .grey
        case .palette: .palette
        case .colour, .colourAlpha: .rgb
        }
    }
}

extension PNGChunk {
    fileprivate init(_ cursor: inout Cursor) throws(HeaderFault) {
        let length = Int(try cursor.uint32())
        let type = try cursor.fourCC()
        guard length <= Int32.max else {
            throw .corrupt("a chunk of \(length) bytes", at: cursor.offset - Self.headerBytes)
        }
        self.init(type: type, length: length, offset: cursor.offset)
    }

    fileprivate func body(_ cursor: inout Cursor) throws(HeaderFault) -> Cursor {
        let body = try cursor.take(length)
        try cursor.skip(Self.checksumBytes)
        return body
    }
}

extension Cursor {
    /// From the head of a chunk, skips it and those of its type and length that follow.
    ///
    /// Encoders write image data in chunks of one length, thousands in a large picture. Steps of a
    /// doubling number of chunks, and then of a halved one, find the last: compressed data do not have
    /// such a head at this place by chance.
    fileprivate mutating func skipChunks(like chunk: PNGChunk) throws(HeaderFault) {
        let distance = PNGChunk.headerBytes + chunk.length + PNGChunk.checksumBytes
        let length = UInt32(clamping: chunk.length).bigEndian
        let head = withUnsafeBytes(of: length, Array.init) + chunk.type.bytes
        var (step, isGrowing) = (1, true)
        while step > 0 {
            let next = advanced(by: min(step, remaining / distance) * distance)
            if step <= remaining / distance, try next.starts(withBytes: head) {
                self = next
            } else {
                isGrowing = false
            }
            step = isGrowing ? 2 * step : step / 2
        }
        try skip(distance)
    }
}

extension PictureFormat {
    package static let png = PictureFormat("\u{89}PNG\r\n\u{1A}\n", probe: PNGProbe.header)
}
