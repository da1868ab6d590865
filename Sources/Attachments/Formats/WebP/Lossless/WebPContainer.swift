import AttachmentContainer
import AttachmentModel

/// Chunks of a still WebP file (RFC 9649, section 2).
struct WebPContainer {
    /// Byte range of a chunk's data, cut off at the end of the file.
    typealias Chunk = Range<Int>

    private(set) var picture = 0..<0
    private(set) var pictureLength = 0
    private(set) var isLossless = false
    private(set) var alpha: Chunk?
    private(set) var profile: Chunk?
    private(set) var canvas: PixelSize?
    private(set) var mayHaveAlpha = false

    /// Limit on the chunks examined; real files have fewer than ten.
    private static let maxChunks = 4096

    /// Tolerant: chunks may pass the end that the file claims.
    init(_ file: OpenFile, isTolerant: Bool) throws(DecodingFault) {
        var reader = LittleEndianReader(file)
        let riff = try reader.fourCC()
        let claimed = try reader.uint32()
        guard riff == "RIFF", try reader.fourCC() == "WEBP" else {
            throw DecodingFault(.corrupt, at: 0, "it is not a WebP file")
        }
        let end = isTolerant ? file.length : min(file.length, 8 + claimed)
        var profileIsAnnounced = false
        for number in 0..<Self.maxChunks {
            if !picture.isEmpty, !profileIsAnnounced || profile != nil { return }
            if !picture.isEmpty, end - reader.offset < 8 { return }
            let chunk = try reader.chunk()
            guard isTolerant || chunk.length <= end - chunk.start || end == file.length else {
                throw DecodingFault(
                    .corrupt, at: chunk.start - 4, "a chunk exceeds the stated file size")
            }
            switch chunk.type {
            case "VP8X" where number == 0:
                let flags = try reader.uint32() & 255
                canvas = PixelSize(
                    width: 1 + (try reader.uint24()), height: 1 + (try reader.uint24()))
                guard flags & 0x02 == 0 else {
                    throw DecodingFault(.unsupported, at: chunk.start, "it is an animation")
                }
                mayHaveAlpha = flags & 0x10 != 0
                profileIsAnnounced = flags & 0x20 != 0
            case "ICCP":
                if profileIsAnnounced, profile == nil { profile = chunk.data(before: end) }
            default:
                try record(chunk, before: end)
            }
            reader.seek(to: chunk.next)
        }
        throw DecodingFault(.limit, at: reader.offset, "it has too many chunks")
    }

    /// An animation frame has no header (section 2.7.1.1).
    init(frame: Range<Int>, in file: OpenFile) throws(DecodingFault) {
        var reader = LittleEndianReader(file, over: frame)
        for _ in 0..<Self.maxChunks {
            let chunk = try reader.chunk()
            try record(chunk, before: frame.upperBound)
            guard picture.isEmpty else { return }
            reader.seek(to: chunk.next)
        }
        throw DecodingFault(.limit, at: reader.offset, "it has too many chunks")
    }

    private mutating func record(_ chunk: WebPChunk, before end: Int) throws(DecodingFault) {
        guard picture.isEmpty else { return }
        switch chunk.type {
        case "VP8 ", "VP8L":
            isLossless = chunk.type == "VP8L"
            (picture, pictureLength) = (chunk.data(before: end), chunk.length)
            guard !picture.isEmpty else {
                throw DecodingFault(.truncated, at: chunk.start, "its image is missing")
            }
        case "ALPH":
            if alpha == nil { alpha = chunk.data(before: end) }
        default:
            break
        }
    }

    /// Nil without a profile, and for one above the ceiling.
    func readProfile(in file: OpenFile) throws(DecodingFault) -> [UInt8]? {
        try ColourProfile.read(profile, of: file)
    }

    /// Reads the size of a `VP8 ` image (RFC 6386, section 9.1).
    func lossySize(in file: OpenFile) throws(DecodingFault) -> PixelSize {
        var reader = LittleEndianReader(file, over: picture)
        guard try reader.uint24() & 1 == 0, try reader.uint24() == 0x2A019D else {
            throw DecodingFault(.corrupt, at: picture.lowerBound, "its image is not a key frame")
        }
        let size = PixelSize(
            width: try reader.uint16() & 0x3FFF, height: try reader.uint16() & 0x3FFF)
        guard size.width > 0, size.height > 0 else {
            throw DecodingFault(.corrupt, at: picture.lowerBound + 6, "its image has no pixels")
        }
        guard canvas == nil || canvas == size else {
            throw DecodingFault(
                .corrupt, at: picture.lowerBound, "its image and its canvas differ in size")
        }
        return size
    }
}

struct WebPChunk {
    let type: FourCC
    let length: Int
    let start: Int

    /// A padding byte follows data of odd length.
    var next: Int { start + length + length & 1 }

    func data(before end: Int) -> Range<Int> { start..<min(start + length, max(start, end)) }
}

struct LittleEndianReader: ~Copyable {
    private var window: FileWindow
    private let end: Int

    init(_ file: OpenFile, over range: Range<Int>? = nil) {
        end = range?.upperBound ?? file.length
        window = FileWindow(file, over: range, capacity: 512)
    }

    var offset: Int { window.offset }

    mutating func seek(to offset: Int) { window.seek(to: offset) }

    mutating func uint8() throws(DecodingFault) -> Int { try number(bytes: 1) }

    mutating func uint16() throws(DecodingFault) -> Int { try number(bytes: 2) }

    mutating func uint24() throws(DecodingFault) -> Int { try number(bytes: 3) }

    mutating func uint32() throws(DecodingFault) -> Int { try number(bytes: 4) }

    mutating func fourCC() throws(DecodingFault) -> FourCC {
        FourCC(rawValue: UInt32(try uint32()).byteSwapped)
    }

    mutating func chunk() throws(DecodingFault) -> WebPChunk {
        let (type, length) = (try fourCC(), try uint32())
        return WebPChunk(type: type, length: length, start: offset)
    }

    private mutating func number(bytes: Int) throws(DecodingFault) -> Int {
        guard let value = try window.readInteger(bytes: bytes, isBigEndian: false) else {
            throw DecodingFault(
                .truncated, at: min(end, window.offset), "it ends within its header")
        }
        return Int(value)
    }
}
