/// Where the parts of a still WebP file lie (RFC 9649, section 2).
struct WebPContainer {
    /// The data of a chunk, in bytes from the start of the file, as far as the file has them.
    typealias Chunk = Range<Int>

    /// Width and height in pixels.
    struct Size: Equatable {
        var width: Int
        var height: Int
    }

    /// The coded picture.
    private(set) var picture = 0..<0
    /// How many bytes its chunk claims.
    private(set) var pictureLength = 0
    /// Whether it is `VP8L` and not `VP8 `.
    private(set) var isLossless = false
    /// The alpha plane of a `VP8 ` picture.
    private(set) var alpha: Chunk?
    /// The ICC profile, where the file says that it has one.
    private(set) var profile: Chunk?
    /// What the extended format says of the size; nil in a simple file.
    private(set) var canvas: Size?
    /// What the extended format says of alpha.
    private(set) var mayHaveAlpha = false

    /// Chunks that are looked at: files have less than ten.
    private static let mostChunks = 4096

    /// Finds the parts of a file.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - length: Its length, in bytes.
    ///   - isTolerant: Whether chunks may pass the end that the file claims.
    /// - Throws: `corrupt`, `truncated`, `unsupported` for animations, `overCeiling`, `unreadable`.
    init(descriptor: CInt, length: Int, isTolerant: Bool) throws(DecodingFault) {
        var reader = LittleEndianReader(descriptor: descriptor, length: length)
        let riff = try reader.uint32()
        let claimed = try reader.uint32()
        guard riff == Self.code("RIFF"), try reader.uint32() == Self.code("WEBP") else {
            throw DecodingFault(.corrupt, at: 0, "it is no WebP file")
        }
        let end = isTolerant ? length : min(length, 8 + claimed)
        var profileIsAnnounced = false
        for number in 0..<Self.mostChunks {
            if !picture.isEmpty, !profileIsAnnounced || profile != nil { return }
            if !picture.isEmpty, end - reader.offset < 8 { return }
            let type = try reader.uint32()
            let claimed = try reader.uint32()
            let start = reader.offset
            guard isTolerant || claimed <= end - start || end == length else {
                throw DecodingFault(.corrupt, at: start - 4, "a chunk is longer than the file says")
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
                    throw DecodingFault(.truncated, at: start, "its picture is missing")
                }
            case Self.code("ALPH"):
                if picture.isEmpty, alpha == nil { alpha = data }
            case Self.code("ICCP"):
                if profileIsAnnounced, profile == nil { profile = data }
            default:
                break
            }
            // A zero follows data of an odd length.
            reader.seek(to: start + claimed + claimed & 1)
        }
        throw DecodingFault(.overCeiling, at: reader.offset, "it has too many chunks")
    }

    /// Finds the parts of a frame of an animation, which are those of a file without a header
    /// (section 2.7.1.1); its size is that of its picture.
    ///
    /// - Parameters:
    ///   - frame: The chunks of the frame, in bytes from the start of the file.
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    /// - Throws: `truncated`, `overCeiling`, `unreadable`.
    init(frame: Range<Int>, descriptor: CInt) throws(DecodingFault) {
        var reader = LittleEndianReader(
            descriptor: descriptor, from: frame.lowerBound, length: frame.upperBound)
        for _ in 0..<Self.mostChunks {
            let type = try reader.uint32()
            let claimed = try reader.uint32()
            let start = reader.offset
            let data = start..<min(start + claimed, max(start, frame.upperBound))
            switch type {
            case Self.code("VP8 "), Self.code("VP8L"):
                isLossless = type == Self.code("VP8L")
                (picture, pictureLength) = (data, claimed)
                guard !data.isEmpty else {
                    throw DecodingFault(.truncated, at: start, "its picture is missing")
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

    /// The four letters of a chunk, as the number that they are in the file.
    static func code(_ letters: StaticString) -> Int {
        (0..<4).reduce(0) { $0 | Int(letters.utf8Start[$1]) << (8 * $1) }
    }

    /// Reads the ICC profile.
    ///
    /// - Parameter descriptor: The file.
    /// - Returns: The profile; nil when the file has none.
    /// - Throws: `overCeiling`, `truncated`, `unreadable`.
    func readProfile(descriptor: CInt) throws(DecodingFault) -> [UInt8]? {
        guard let profile, !profile.isEmpty else { return nil }
        guard profile.count <= ColourProfile.ceiling else {
            throw DecodingFault(.overCeiling, at: profile.lowerBound, "its profile is too long")
        }
        var window = FileWindow(descriptor: descriptor, over: profile, capacity: 4096)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(profile.count)
        while let byte = try window.readByte() { bytes.append(byte) }
        return bytes
    }
}

/// Reads numbers whose lowest byte comes first.
struct LittleEndianReader: ~Copyable {
    private var window: FileWindow
    private let end: Int

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - descriptor: A regular file, open for reading; it stays the caller's.
    ///   - start: Where to begin, in bytes from the start of the file.
    ///   - length: Where the file ends.
    init(descriptor: CInt, from start: Int = 0, length: Int) {
        end = length
        window = FileWindow(
            descriptor: descriptor, over: min(start, length)..<length, capacity: 512)
    }

    /// Where the next number stands, in bytes from the start of the file.
    var offset: Int { window.offset }

    /// Goes on at another place.
    mutating func seek(to offset: Int) { window.seek(to: offset) }

    /// A number of one byte.
    mutating func uint8() throws(DecodingFault) -> Int { try number(bytes: 1) }

    /// A number of two bytes.
    mutating func uint16() throws(DecodingFault) -> Int { try number(bytes: 2) }

    /// A number of three bytes.
    mutating func uint24() throws(DecodingFault) -> Int { try number(bytes: 3) }

    /// A number of four bytes.
    mutating func uint32() throws(DecodingFault) -> Int { try number(bytes: 4) }

    private mutating func number(bytes: Int) throws(DecodingFault) -> Int {
        var value = 0
        for index in 0..<bytes {
            guard let byte = try window.readByte() else {
                throw DecodingFault(
                    .truncated, at: min(end, window.offset), "it ends within its header")
            }
            value |= Int(byte) << (8 * index)
        }
        return value
    }
}
