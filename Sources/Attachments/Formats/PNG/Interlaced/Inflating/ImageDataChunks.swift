import AttachmentModel
internal import CInflate
internal import CZlib

/// Compressed stream in the IDAT chunks of an image (PNG specification, 10.1) or the fdAT chunks of
/// a frame (11.3.6.3), read forward from any position.
struct ImageDataChunks: ~Copyable {
    enum End {
        case ofFile
        /// Another chunk follows.
        case ofImageData
    }

    private(set) var end: End?
    private var window: FileWindow
    private var remaining: Int
    /// Checksum of the chunk's type and the data read so far.
    private var checksum: uLong
    private var isChecked: Bool
    private let source: ImageDataInflater.Source

    init(_ source: ImageDataInflater.Source, at offset: Int, chunkLength: Int, checksum: uLong?) {
        self.source = source
        isChecked = !source.isTolerant
        window = FileWindow(source.file, over: offset..<max(source.file.length, offset))
        remaining = chunkLength
        self.checksum = checksum ?? ChunkChecksum.of(source.type)
    }

    /// The copy ignores checksums, because the original checks them as it reads on.
    func uncheckedCopy() -> ImageDataChunks {
        var copy = ImageDataChunks(source, at: offset, chunkLength: remaining, checksum: checksum)
        (copy.end, copy.isChecked) = (end, false)
        return copy
    }

    /// Offset of the next byte in the file; after the image data, of the following chunk.
    var offset: Int { window.offset }

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
                if isChecked {
                    sum = uLong(thimble_crc32(UInt32(truncatingIfNeeded: sum), base, taken))
                }
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
            throw DecodingFault(
                PNGFault.dataChecksum.loss, at: border, "the checksum of its image data is wrong")
        }
        let next = window.offset
        guard let chunk = try window.readPNGChunk() else { return end = .ofFile }
        guard chunk.type == source.type, chunk.isValid else {
            // The reader of the following chunks judges this header.
            window.seek(to: next)
            return end = .ofImageData
        }
        remaining = chunk.length
        checksum = ChunkChecksum.of(source.type)
        if source.type == .frameData { try skipSequenceNumber() }
    }

    private mutating func skipSequenceNumber() throws(DecodingFault) {
        guard remaining >= 4, let number = try window.readUInt32() else { return end = .ofFile }
        checksum = ChunkChecksum.of(number, after: checksum)
        remaining -= 4
    }
}

/// Chunk checksums (5.5), which cover type and data.
enum ChunkChecksum {
    static func of(_ type: FourCC) -> uLong { of(type.rawValue, after: 0) }

    static func of(_ number: UInt32, after checksum: uLong) -> uLong {
        withUnsafeBytes(of: number.bigEndian) { bytes in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            return uLong(thimble_crc32(UInt32(truncatingIfNeeded: checksum), start, bytes.count))
        }
    }
}
