import AttachmentModel
internal import CZlib

/// Compressed stream in the IDAT chunks of an image (PNG specification, 10.1) or the fdAT chunks of
/// a frame (11.3.6.3), read forward from any position.
struct ImageDataChunks: ~Copyable {
    struct Position {
        var offset: Int
        var remaining: Int
        /// Checksum of the chunk's type and the data read so far.
        var checksum: uLong
        var end: End?
    }

    enum End {
        case ofFile
        /// Another chunk follows.
        case ofImageData
    }

    private(set) var end: End?
    private var window: FileWindow
    private var remaining: Int
    private var checksum: uLong
    private let isChecked: Bool
    private let type: FourCC

    init(_ file: OpenFile, at position: Position, isChecked: Bool, type: FourCC) {
        (self.isChecked, self.type) = (isChecked, type)
        window = FileWindow(file, over: position.offset..<max(file.length, position.offset))
        (remaining, checksum, end) = (position.remaining, position.checksum, position.end)
    }

    /// Offset of the next byte in the file; after the image data, of the following chunk.
    var offset: Int { window.offset }

    var position: Position {
        Position(offset: window.offset, remaining: remaining, checksum: checksum, end: end)
    }

    /// Passes the buffered bytes, none at the end, to `body`, which returns the number consumed.
    mutating func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Int) throws(DecodingFault) {
        while remaining == 0, end == nil { try enterNextChunk() }
        let limit = end == nil ? remaining : 0
        let isChecked = isChecked
        var (sum, taken, isEmpty) = (checksum, 0, true)
        if limit > 0 {
            try window.withBytes { (bytes) throws(DecodingFault) in
                isEmpty = bytes.isEmpty
                guard let base = bytes.baseAddress, !isEmpty else { return 0 }
                taken = body(UnsafeBufferPointer(start: base, count: min(limit, bytes.count)))
                if isChecked { sum = crc32(sum, base, uInt(taken)) }
                return taken
            }
            if isEmpty { end = .ofFile }
        }
        if isEmpty { _ = body(UnsafeBufferPointer(start: nil, count: 0)) }
        (checksum, remaining) = (sum, remaining - taken)
    }

    private mutating func enterNextChunk() throws(DecodingFault) {
        let border = window.offset
        guard let stored = try window.readUInt32() else { return end = .ofFile }
        guard !isChecked || uLong(stored) == checksum else {
            throw DecodingFault(.corrupt, at: border, "the checksum of its image data is wrong")
        }
        let next = window.offset
        guard let chunk = try window.readPNGChunk() else { return end = .ofFile }
        guard chunk.type == type, chunk.isValid else {
            // The reader of the following chunks judges this header.
            window.seek(to: next)
            return end = .ofImageData
        }
        remaining = chunk.length
        checksum = ChunkChecksum.of(type)
        if type == .frameData { try skipSequenceNumber() }
    }

    private mutating func skipSequenceNumber() throws(DecodingFault) {
        guard remaining >= 4, let number = try window.readUInt32() else { return end = .ofFile }
        checksum = ChunkChecksum.of(number, after: checksum)
        remaining -= 4
    }
}

/// Chunk checksums (5.5), which cover type and data.
enum ChunkChecksum {
    static func of(_ type: FourCC) -> uLong { crc32(0, type.bytes, 4) }

    static func of(_ number: UInt32, after checksum: uLong) -> uLong {
        crc32(checksum, FourCC(rawValue: number).bytes, 4)
    }
}
