import AttachmentModel

/// Chunks of a still WebP file (RFC 9649, section 2).
struct WebPContainer {
    /// Byte range of a chunk's data, cut off at the end of the file.
    typealias Chunk = Range<Int>

    struct Size: Equatable {
        var width: Int
        var height: Int
    }

    /// The coded image.
    private(set) var picture = 0..<0
    /// Length that the image chunk claims.
    private(set) var pictureLength = 0
    /// True for `VP8L`, false for `VP8 `.
    private(set) var isLossless = false
    /// The alpha plane of a `VP8 ` image.
    private(set) var alpha: Chunk?
    /// The ICC profile, if the header announces one.
    private(set) var profile: Chunk?
    /// Size in the extended header; nil in a simple file.
    private(set) var canvas: Size?
    /// Alpha flag of the extended header.
    private(set) var mayHaveAlpha = false

    /// Limit on the chunks examined; real files have fewer than ten.
    private static let maxChunks = 4096

    /// Finds the chunks of a file.
    ///
    /// In tolerant mode, chunks may pass the end that the file claims.
    init(_ file: OpenFile, isTolerant: Bool) throws(DecodingFault) {
        var reader = LittleEndianReader(file)
        let riff = try reader.uint32()
        let claimed = try reader.uint32()
        guard riff == Self.code("RIFF"), try reader.uint32() == Self.code("WEBP") else {
            throw DecodingFault(.corrupt, at: 0, "it is not a WebP file")
        }
        let end = isTolerant ? file.length : min(file.length, 8 + claimed)
        var profileIsAnnounced = false
        for number in 0..<Self.maxChunks {
            if !picture.isEmpty, !profileIsAnnounced || profile != nil { return }
            if !picture.isEmpty, end - reader.offset < 8 { return }
            let type = try reader.uint32()
            let claimed = try reader.uint32()
            let start = reader.offset
            guard isTolerant || claimed <= end - start || end == file.length else {
                throw DecodingFault(.corrupt, at: start - 4, "a chunk exceeds the stated file size")
            }
            let data = start..<min(start + claimed, max(start, end))
            switch type {
            case Self.code("VP8X") where number == 0:
                let flags = try reader.uint32() & 255
                canvas = Size(
                    width: 1 + (try reader.uint24()), height: 1 + (try reader.uint24()))
                guard flags & 0x02 == 0 else {
                    throw DecodingFault(.unsupported, at: start, "it is an animation")
                }
                mayHaveAlpha = flags & 0x10 != 0
                profileIsAnnounced = flags & 0x20 != 0
            case Self.code("VP8 "), Self.code("VP8L"):
                guard picture.isEmpty else { break }
                isLossless = type == Self.code("VP8L")
                (picture, pictureLength) = (data, claimed)
                guard !data.isEmpty else {
                    throw DecodingFault(.truncated, at: start, "its image is missing")
                }
            case Self.code("ALPH"):
                if picture.isEmpty, alpha == nil { alpha = data }
            case Self.code("ICCP"):
                if profileIsAnnounced, profile == nil { profile = data }
            default:
                break
            }
            // A padding byte follows data of odd length.
            reader.seek(to: start + claimed + claimed & 1)
        }
        throw DecodingFault(.overCeiling, at: reader.offset, "it has too many chunks")
    }

    /// Finds the chunks of an animation frame, which has no header (section 2.7.1.1).
    ///
    /// The image itself states the size.
    init(frame: Range<Int>, in file: OpenFile) throws(DecodingFault) {
        var reader = LittleEndianReader(
            file, over: frame)
        for _ in 0..<Self.maxChunks {
            let type = try reader.uint32()
            let claimed = try reader.uint32()
            let start = reader.offset
            let data = start..<min(start + claimed, max(start, frame.upperBound))
            switch type {
            case Self.code("VP8 "), Self.code("VP8L"):
                isLossless = type == Self.code("VP8L")
                (picture, pictureLength) = (data, claimed)
                guard !data.isEmpty else {
                    throw DecodingFault(.truncated, at: start, "its image is missing")
                }
                return
            case Self.code("ALPH"):
                if alpha == nil { alpha = data }
            default:
                break
            }
            reader.seek(to: start + claimed + claimed & 1)
        }
        throw DecodingFault(.overCeiling, at: reader.offset, "it has too many chunks")
    }

    /// A four-letter chunk code as its little-endian number.
    static func code(_ letters: StaticString) -> Int {
        (0..<4).reduce(0) { $0 | Int(letters.utf8Start[$1]) << (8 * $1) }
    }

    /// Reads the ICC profile; nil if the file has none.
    func readProfile(in file: OpenFile) throws(DecodingFault) -> [UInt8]? {
        guard let profile, !profile.isEmpty else { return nil }
        guard profile.count <= ColourProfile.ceiling else {
            throw DecodingFault(.overCeiling, at: profile.lowerBound, "its profile is too long")
        }
        var window = FileWindow(file, over: profile, capacity: 4096)
        return try window.readBytes(profile.count)
    }
}

/// Reads little-endian numbers.
struct LittleEndianReader: ~Copyable {
    private var window: FileWindow
    private let end: Int

    /// Starts at the start of `range`, by default of the file.
    init(_ file: OpenFile, over range: Range<Int>? = nil) {
        end = range?.upperBound ?? file.length
        window = FileWindow(file, over: range, capacity: 512)
    }

    /// Offset of the next number in the file.
    var offset: Int { window.offset }

    mutating func seek(to offset: Int) { window.seek(to: offset) }

    mutating func uint8() throws(DecodingFault) -> Int { try number(bytes: 1) }

    mutating func uint16() throws(DecodingFault) -> Int { try number(bytes: 2) }

    mutating func uint24() throws(DecodingFault) -> Int { try number(bytes: 3) }

    mutating func uint32() throws(DecodingFault) -> Int { try number(bytes: 4) }

    private mutating func number(bytes: Int) throws(DecodingFault) -> Int {
        guard let value = try window.readInteger(bytes: bytes, isBigEndian: false) else {
            throw DecodingFault(
                .truncated, at: min(end, window.offset), "it ends within its header")
        }
        return Int(value)
    }
}
