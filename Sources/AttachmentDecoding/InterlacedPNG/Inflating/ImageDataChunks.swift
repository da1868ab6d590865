internal import CZlib

/// The compressed stream of a PNG, which any number of IDAT chunks hold in pieces (PNG
/// specification, 10.1), or of a frame of an animation, which fdAT chunks hold (11.3.6.3), read
/// forward from any place in it.
struct ImageDataChunks: ~Copyable {
    /// A place in the stream.
    struct Position {
        /// Where the next byte stands in the file, in bytes from its start.
        var offset: Int
        /// Bytes of the chunk from there on.
        var remaining: Int
        /// The checksum of the chunk up to there: of its type, and of data that were read.
        var checksum: uLong
        /// Whether the stream ends there.
        var end: End?
    }

    /// What reading ends with.
    enum End {
        /// The file ends within the image data.
        case ofFile
        /// Another chunk follows.
        case ofImageData
    }

    /// Nil until reading ends.
    private(set) var end: End?
    private var window: FileWindow
    private var remaining: Int
    private var checksum: uLong
    private let strictness: Strictness
    private let type: PNGChunkType

    /// What becomes of wrong checksums.
    enum Strictness {
        /// They are faults.
        case checked
        /// They are not looked at.
        case unchecked
    }

    /// Goes to a place in the stream.
    ///
    /// - Parameters:
    ///   - descriptor: The file.
    ///   - length: Its length in bytes.
    ///   - position: Where to begin.
    ///   - strictness: What becomes of wrong checksums.
    ///   - type: The chunks that hold it. The default is `imageData`.
    init(
        descriptor: CInt, length: Int, at position: Position, strictness: Strictness,
        type: PNGChunkType = .imageData
    ) {
        self.type = type
        window = FileWindow(
            descriptor: descriptor, over: position.offset..<max(length, position.offset))
        (remaining, checksum, end) = (position.remaining, position.checksum, position.end)
        self.strictness = strictness
    }

    /// Where the next byte stands in the file, in bytes from its start; after the end of the image
    /// data, where the chunk behind them begins.
    var offset: Int { window.offset }

    /// The place of the next byte.
    var position: Position {
        Position(offset: window.offset, remaining: remaining, checksum: checksum, end: end)
    }

    /// Gives the bytes at hand, at least one, and moves on over what was taken of them.
    ///
    /// - Parameter body: Gets the bytes, none at the end; returns how many of them it took.
    /// - Throws: `unreadable`; `corrupt` for a wrong checksum, where they are looked at.
    mutating func withBytes(
        _ body: (UnsafeBufferPointer<UInt8>) -> Int
    ) throws(DecodingFault) {
        while remaining == 0, end == nil { try enterNextChunk() }
        let limit = end == nil ? remaining : 0
        let isChecked = strictness == .checked
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
        guard strictness == .unchecked || uLong(stored) == checksum else {
            throw DecodingFault(.corrupt, at: border, "the checksum of its image data is wrong")
        }
        let next = window.offset
        guard let length = try window.readUInt32(), let type = try window.readUInt32() else {
            return end = .ofFile
        }
        guard PNGChunkType(rawValue: type) == self.type, length <= Int32.max else {
            // Whoever reads the chunks behind the image data judges this one.
            window.seek(to: next)
            return end = .ofImageData
        }
        remaining = Int(length)
        checksum = ChunkChecksum.of(self.type)
        if self.type == .frameData { try skipSequenceNumber() }
    }

    /// Passes over what stands in front of the data of an fdAT chunk.
    private mutating func skipSequenceNumber() throws(DecodingFault) {
        guard remaining >= 4, let number = try window.readUInt32() else { return end = .ofFile }
        checksum = ChunkChecksum.of(number, after: checksum)
        remaining -= 4
    }
}

extension FileWindow {
    /// The next four bytes as a big-endian number (7.1); nil where the file ends before them.
    ///
    /// - Throws: `unreadable`.
    mutating func readUInt32() throws(DecodingFault) -> UInt32? {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = try readByte() else { return nil }
            number = number << 8 | UInt32(byte)
        }
        return number
    }
}

/// The checksums of chunks (5.5), which cover type and data.
enum ChunkChecksum {
    /// The checksum of a chunk without data.
    static func of(_ type: PNGChunkType) -> uLong { crc32(0, type.bytes, 4) }

    /// The checksum of what was read, and four bytes more.
    static func of(_ number: UInt32, after checksum: uLong) -> uLong {
        crc32(checksum, PNGChunkType(rawValue: number).bytes, 4)
    }
}
