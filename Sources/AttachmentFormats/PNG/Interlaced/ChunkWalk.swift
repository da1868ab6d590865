import AttachmentModel
internal import CZlib

/// Reads and checks the chunks before and after the image data.
struct ChunkWalk: ~Copyable {
    enum Step {
        /// A chunk to keep.
        case chunk(PNGChunkHeader, checksum: uLong)
        /// An image-data chunk; the data follow.
        case imageData(length: Int)
        case imageEnd
    }

    private var window: FileWindow
    private let isTolerant: Bool

    init(_ file: OpenFile, isTolerant: Bool) {
        window = FileWindow(file)
        self.isTolerant = isTolerant
    }

    /// Offset of the next byte in the file.
    var offset: Int { window.offset }

    mutating func seek(to offset: Int) { window.seek(to: offset) }

    /// Reads up to a few hundred bytes.
    mutating func read(_ count: Int) throws(DecodingFault) -> [UInt8] {
        let bytes = try window.readBytes(count)
        guard bytes.count == count else { throw truncated }
        return bytes
    }

    mutating func readHeader() throws(DecodingFault) -> PNGChunkHeader {
        let start = offset
        guard let length = try window.readUInt32(), let letters = try window.readUInt32() else {
            throw truncated
        }
        let type = PNGChunkType(rawValue: letters)
        guard length <= Int32.max, type.isLegal else {
            throw DecodingFault(.corrupt, at: start, "a chunk header is invalid")
        }
        return PNGChunkHeader(length: Int(length), type: type)
    }

    /// Reads a chunk's data and stored checksum, and returns the computed checksum.
    mutating func check(
        _ header: PNGChunkHeader
    ) throws(DecodingFault) -> (checksum: uLong, isValid: Bool) {
        var checksum = ChunkChecksum.of(header.type)
        try copy(header.length) { bytes in
            checksum = crc32(checksum, bytes.baseAddress, uInt(bytes.count))
        }
        guard let stored = try window.readUInt32() else { throw truncated }
        return (checksum, uLong(stored) == checksum)
    }

    /// Passes the next `count` bytes to `body` in pieces.
    mutating func copy(
        _ count: Int, to body: (UnsafeBufferPointer<UInt8>) -> Void
    ) throws(DecodingFault) {
        var left = count
        while left > 0 {
            let wanted = left
            var got = 0
            try window.withBytes { (bytes) throws(DecodingFault) in
                got = min(wanted, bytes.count)
                if got > 0 { body(UnsafeBufferPointer(rebasing: bytes[..<got])) }
                return got
            }
            guard got > 0 else { throw truncated }
            left -= got
        }
    }

    /// Finds and checks the next chunk to keep, and returns with its data up next.
    ///
    /// Skips damaged ancillary chunks and those irrelevant to colour.
    mutating func next() throws(DecodingFault) -> Step {
        while true {
            let header = try readHeader()
            let data = offset
            switch header.type {
            case .imageData:
                return .imageData(length: header.length)
            case .imageEnd, .palette:
                let checksum = try checkCritical(header)
                if header.type == .imageEnd { return .imageEnd }
                window.seek(to: data)
                return .chunk(header, checksum: checksum)
            default:
                guard header.type.isAncillary else {
                    throw DecodingFault(
                        .unsupported, at: data, "an unknown or misplaced chunk \(header.type)")
                }
                guard header.type.affectsColour else {
                    skip(header)
                    continue
                }
                let (checksum, isValid) = try check(header)
                guard isValid else { continue }
                if header.type == .colourProfile {
                    window.seek(to: data)
                    try ColourProfile.checkCompressed(in: &window, count: header.length)
                }
                window.seek(to: data)
                return .chunk(header, checksum: checksum)
            }
        }
    }

    private mutating func checkCritical(
        _ header: PNGChunkHeader
    ) throws(DecodingFault) -> uLong {
        let data = offset
        // A palette has at most 256 colours (11.2.2).
        guard header.length <= (header.type == .palette ? 768 : 0) else {
            throw DecodingFault(.corrupt, at: data, "\(header.type) has \(header.length) bytes")
        }
        let (checksum, isValid) = try check(header)
        guard isValid || isTolerant else {
            throw DecodingFault(.corrupt, at: data, "the checksum of \(header.type) is wrong")
        }
        return checksum
    }

    mutating func skip(_ header: PNGChunkHeader) {
        window.seek(to: offset + header.length + PNGChunkHeader.checksumBytes)
    }

    private var truncated: DecodingFault {
        DecodingFault(.truncated, at: offset, "the file ends too early")
    }
}
