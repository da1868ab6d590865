internal import CZlib

/// Goes through the chunks before and behind the image data, one by one, and checks them.
struct ChunkWalk: ~Copyable {
    /// What is found.
    enum Step {
        /// A chunk to keep.
        case chunk(PNGChunkHeader, checksum: uLong)
        /// A chunk of image data, whose data come next.
        case imageData(length: Int)
        /// The last chunk.
        case imageEnd
    }

    private var window: FileWindow
    private let isTolerant: Bool

    /// Begins at a chunk.
    ///
    /// - Parameters:
    ///   - descriptor: The file.
    ///   - length: Its length in bytes.
    ///   - isTolerant: Whether wrong checksums are passed over.
    init(descriptor: CInt, length: Int, isTolerant: Bool) {
        window = FileWindow(descriptor: descriptor, over: 0..<max(length, 0))
        self.isTolerant = isTolerant
    }

    /// Where the next byte stands in the file, in bytes from its start.
    var offset: Int { window.offset }

    /// Goes on at another place.
    ///
    /// - Parameter offset: In bytes from the start of the file.
    mutating func seek(to offset: Int) { window.seek(to: offset) }

    /// Reads bytes, at most a few hundred.
    ///
    /// - Parameter count: How many.
    /// - Returns: The bytes.
    /// - Throws: `truncated`, `unreadable`.
    mutating func read(_ count: Int) throws(DecodingFault) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count, let byte = try window.readByte() { bytes.append(byte) }
        guard bytes.count == count else { throw truncated }
        return bytes
    }

    /// Reads the length and the type of a chunk.
    ///
    /// - Returns: They; the data come next.
    /// - Throws: `corrupt`, `truncated`, `unreadable`.
    mutating func readHeader() throws(DecodingFault) -> PNGChunkHeader {
        let start = offset
        guard let length = try window.readUInt32(), let letters = try window.readUInt32() else {
            throw truncated
        }
        let type = PNGChunkType(rawValue: letters)
        guard length <= Int32.max, type.isLegal else {
            throw DecodingFault(.corrupt, at: start, "no chunk where one should begin")
        }
        return PNGChunkHeader(length: Int(length), type: type)
    }

    /// Reads the data of a chunk and its checksum.
    ///
    /// - Parameter header: Stands in front of them.
    /// - Returns: The checksum of the data, and whether it is the one behind them.
    /// - Throws: `truncated`, `unreadable`.
    mutating func check(
        _ header: PNGChunkHeader
    ) throws(DecodingFault) -> (checksum: uLong, isRight: Bool) {
        var checksum = ChunkChecksum.of(header.type)
        try copy(header.length) { bytes in
            checksum = crc32(checksum, bytes.baseAddress, uInt(bytes.count))
        }
        guard let stored = try window.readUInt32() else { throw truncated }
        return (checksum, uLong(stored) == checksum)
    }

    /// Reads bytes in pieces.
    ///
    /// - Parameters:
    ///   - count: How many.
    ///   - body: Gets each piece.
    /// - Throws: `truncated`, `unreadable`.
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

    /// Finds the next chunk that is to be kept, and checks it.
    ///
    /// Passed over are damaged ancillary chunks, and all that do not tell the colours.
    ///
    /// - Returns: The chunk; its data come next.
    /// - Throws: `corrupt`, `unsupported`, `truncated`, `unreadable`; `overCeiling` for a colour
    ///   profile that is too long.
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
                guard header.type.tellsColours else {
                    pass(header)
                    continue
                }
                let (checksum, isRight) = try check(header)
                guard isRight else { continue }
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
        let (checksum, isRight) = try check(header)
        guard isRight || isTolerant else {
            throw DecodingFault(.corrupt, at: data, "the checksum of \(header.type) is wrong")
        }
        return checksum
    }

    /// Passes over the data and the checksum of a chunk.
    ///
    /// - Parameter header: Stands in front of them.
    mutating func pass(_ header: PNGChunkHeader) {
        window.seek(to: offset + header.length + PNGChunkHeader.checksumBytes)
    }

    private var truncated: DecodingFault {
        DecodingFault(.truncated, at: offset, "the file ends too early")
    }
}
