import AttachmentModel
internal import CZlib

/// Reads and checks the chunks before and after the image data.
struct ChunkWalk: ~Copyable {
    enum Step {
        /// A chunk to keep.
        case chunk(PNGChunk, checksum: uLong)
        /// An image-data chunk; the data follow.
        case imageData(length: Int)
        case imageEnd
    }

    private var window: FileWindow
    private let isTolerant: Bool
    /// True once a chunk was skipped for its checksum.
    private(set) var hasWrongChecksum = false

    init(_ file: OpenFile, isTolerant: Bool) {
        window = FileWindow(file)
        self.isTolerant = isTolerant
    }

    var offset: Int { window.offset }

    mutating func seek(to offset: Int) { window.seek(to: offset) }

    mutating func read(_ count: Int) throws(DecodingFault) -> [UInt8] {
        let bytes = try window.readBytes(count)
        guard bytes.count == count else { throw truncated }
        return bytes
    }

    /// Reads the signature and the header, and returns it with the offset of its data.
    mutating func readImageHeader() throws(DecodingFault) -> (PNGImageHeader, offset: Int) {
        let signature = InterlacedPNGStream.signature
        guard try read(signature.count) == signature else {
            throw DecodingFault(.corrupt, at: 0, "it is not a PNG")
        }
        let chunk = try readHeader()
        let offset = offset
        guard chunk.type == .imageHeader, chunk.length == PNGImageHeader.byteCount else {
            throw DecodingFault(
                chunk.type == "CgBI" ? .unsupported : .corrupt, at: offset,
                "it does not begin with its header")
        }
        let header = PNGImageHeader(try read(chunk.length))
        try header.checkSize(upTo: Int(Int32.max), at: offset)
        _ = try header.checkedColourType(at: offset)
        try header.checkMethods(at: offset)
        guard max(header.width, header.height) <= PNGImageHeader.longestSide else {
            throw DecodingFault(
                .limit, at: offset,
                "a side of more than \(PNGImageHeader.longestSide) pixels")
        }
        seek(to: offset)
        guard try check(chunk).isValid || isTolerant else {
            throw DecodingFault(
                PNGFault.criticalChecksum.loss, at: offset, "the checksum of its header is wrong")
        }
        return (header, offset)
    }

    mutating func readHeader() throws(DecodingFault) -> PNGChunk {
        let start = offset
        guard let chunk = try window.readPNGChunk() else { throw truncated }
        guard chunk.isValid else {
            throw DecodingFault(.corrupt, at: start, "a chunk header is invalid")
        }
        return chunk
    }

    /// True if a complete IEND follows; reads only the heads of chunks.
    mutating func reachesEnd(from offset: Int) -> Bool {
        seek(to: offset)
        while let chunk = try? readHeader() {
            seek(to: chunk.end - PNGChunk.checksumBytes)
            if chunk.type == .imageEnd { return (try? window.readUInt32()) ?? nil != nil }
            seek(to: chunk.end)
        }
        return false
    }

    /// Reads a chunk's data and stored checksum, and returns the computed checksum.
    mutating func check(
        _ chunk: PNGChunk
    ) throws(DecodingFault) -> (checksum: uLong, isValid: Bool) {
        var checksum = ChunkChecksum.of(chunk.type)
        try copy(chunk.length) { bytes in
            checksum = crc32(checksum, bytes.baseAddress, uInt(bytes.count))
        }
        guard let stored = try window.readUInt32() else { throw truncated }
        return (checksum, uLong(stored) == checksum)
    }

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

    /// Finds the next chunk to keep; skips damaged ancillary chunks and those irrelevant to colour.
    mutating func next() throws(DecodingFault) -> Step {
        while true {
            let chunk = try readHeader()
            let data = offset
            switch chunk.type {
            case .imageData:
                return .imageData(length: chunk.length)
            case .imageEnd, .palette:
                let checksum = try checkCritical(chunk)
                if chunk.type == .imageEnd { return .imageEnd }
                window.seek(to: data)
                return .chunk(chunk, checksum: checksum)
            default:
                guard chunk.type.isAncillary else {
                    throw DecodingFault(
                        .unsupported, at: data, "an unknown or misplaced chunk \(chunk.type)")
                }
                guard chunk.type.affectsColour else {
                    window.seek(to: chunk.end)
                    continue
                }
                let (checksum, isValid) = try check(chunk)
                guard isValid else {
                    hasWrongChecksum = true
                    continue
                }
                if chunk.type == .colourProfile {
                    window.seek(to: data)
                    guard try ColourProfile.isUsable(in: &window, count: chunk.length) else {
                        window.seek(to: chunk.end)
                        continue
                    }
                }
                window.seek(to: data)
                return .chunk(chunk, checksum: checksum)
            }
        }
    }

    private mutating func checkCritical(_ chunk: PNGChunk) throws(DecodingFault) -> uLong {
        let data = offset
        // A palette has at most 256 colours (11.2.2).
        guard chunk.length <= (chunk.type == .palette ? 768 : 0) else {
            throw DecodingFault(.corrupt, at: data, "\(chunk.type) has \(chunk.length) bytes")
        }
        let (checksum, isValid) = try check(chunk)
        guard isValid || isTolerant else {
            throw DecodingFault(
                PNGFault.criticalChecksum.loss, at: data, "the checksum of \(chunk.type) is wrong")
        }
        return checksum
    }

    mutating func skipImageData(_ length: Int) {
        window.seek(to: offset + length + PNGChunk.checksumBytes)
    }

    private var truncated: DecodingFault {
        DecodingFault(.truncated, at: offset, "the file ends too early")
    }
}
