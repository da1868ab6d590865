internal import CZlib

/// Inflates a zlib stream (RFC 1950 and 1951), in a state that can be copied anywhere.
///
/// zlib could be used instead (`inflateCopy`); this one takes two thirds of its time (0.37 s for the
/// 145 MB of 48 megapixels, against 0.55 s), which matters because the passes of a picture are
/// inflated once and a half.
struct Inflate: ~Copyable {
    /// The largest distance, in bytes (RFC 1951, 3.2.5).
    static let window = 32 << 10
    /// Bytes that are inflated at a time.
    static let step = 16 << 10
    /// Bytes that the last match and word of a step may reach further.
    private static let slack = 258 + 16

    /// The most blocks without a byte that may follow each other.
    ///
    /// Encoders write one or two where they flush; many would keep a call busy that gives nothing, a
    /// few microseconds for each.
    static let mostEmptyBlocks = 1 << 16

    /// What comes next in the stream.
    enum Place {
        case streamHeader
        case blockHeader
        case stored(remaining: Int)
        case symbols
        case streamChecksum
        case end
    }

    /// Why a stream breaks off.
    enum Damage: String {
        case shortage = "its image data end too soon"
        case method = "its image data are not deflated, or with a preset dictionary"
        case block = "its image data have a block of an illegal kind"
        case code = "its image data have an illegal prefix code"
        case symbol = "its image data have an illegal symbol or distance"
        case emptyBlocks = "its image data have too many empty blocks"
        case checksum = "the checksum of its inflated image data is wrong"
    }

    /// Nil until the stream breaks off.
    var damage: Damage?
    var place = Place.streamHeader
    var isLastBlock = false
    /// Whether the tables are those of the fixed codes, which need not be built again then.
    var hasFixedCodes = false
    private var emptyBlocks = 0
    /// Where the current block begins in the history, before it when a step came between.
    private var blockStart = -1
    var input: BitInput
    private var checksum = adler32(0, nil, 0)
    private let isChecked: Bool

    // Three allocations that are made and given back with this value: the last `window` bytes and
    // those of the current step; and the tables of the current block.
    let history: UnsafeMutablePointer<UInt8>
    let literals: UnsafeMutablePointer<UInt32>
    let distances: UnsafeMutablePointer<UInt32>
    /// Where the next byte goes in the history; at most `slack` behind `window + step`.
    var count = 0
    private var taken = 0

    /// Begins with the first byte of a stream.
    ///
    /// - Parameters:
    ///   - chunks: Stand there.
    ///   - isChecked: Whether the checksum of the stream is looked at.
    init(_ chunks: consuming ImageDataChunks, isChecked: Bool) {
        self.isChecked = isChecked
        input = BitInput(chunks)
        (history, literals, distances) = Self.allocate()
    }

    /// Goes on where another one stands, without looking at the checksum of the stream.
    ///
    /// - Parameters:
    ///   - other: The other one.
    ///   - chunks: Stand where those of the other one do.
    init(copying other: borrowing Inflate, chunks: consuming ImageDataChunks) {
        isChecked = false
        input = BitInput(copying: other.input, chunks: chunks)
        (history, literals, distances) = Self.allocate()
        history.update(from: other.history, count: other.count)
        literals.update(from: other.literals, count: DeflateCode.literals.capacity)
        distances.update(from: other.distances, count: DeflateCode.distances.capacity)
        (count, taken) = (other.count, other.taken)
        (place, isLastBlock, damage) = (other.place, other.isLastBlock, other.damage)
        hasFixedCodes = other.hasFixedCodes
        (emptyBlocks, blockStart) = (other.emptyBlocks, other.blockStart)
    }

    deinit {
        history.deallocate()
        literals.deallocate()
        distances.deallocate()
    }

    private static func allocate() -> (
        UnsafeMutablePointer<UInt8>, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>
    ) {
        let history = UnsafeMutablePointer<UInt8>.allocate(capacity: window + step + slack)
        history.initialize(repeating: 0, count: window + step + slack)
        let alphabets = [DeflateCode.literals, DeflateCode.distances].map { alphabet in
            let table = UnsafeMutablePointer<UInt32>.allocate(capacity: alphabet.capacity)
            table.initialize(repeating: 0, count: alphabet.capacity)
            return table
        }
        return (history, alphabets[0], alphabets[1])
    }

    /// Whether nothing more comes.
    var hasEnded: Bool {
        if case .end = place { return taken >= count }
        return damage != nil && taken >= count
    }

    /// Where a step ends, in the history.
    var limit: Int { Self.window + Self.step }

    /// Inflates.
    ///
    /// - Parameter buffer: Room for what comes.
    /// - Returns: How many bytes came; fewer than there is room for at the end or at damage only.
    /// - Throws: Damage of chunks, in a file that must not have any; `unreadable`.
    mutating func read(
        into buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(DecodingFault) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        var done = 0
        while done < buffer.count {
            if taken == count {
                if hasEnded { break }
                try step()
            }
            let part = min(count - taken, buffer.count - done)
            (base + done).update(from: history + taken, count: part)
            (taken, done) = (taken + part, done + part)
        }
        return done
    }

    /// Inflates to the end of a step; everything before was taken.
    private mutating func step() throws(DecodingFault) {
        if count >= limit {
            history.update(from: history + (count - Self.window), count: Self.window)
            blockStart -= count - Self.window
            (count, taken) = (Self.window, Self.window)
        }
        let start = count
        stepping: while count < limit, damage == nil {
            switch place {
            case .streamHeader: try readStreamHeader()
            case .blockHeader:
                emptyBlocks = count == blockStart ? emptyBlocks + 1 : 0
                blockStart = count
                guard emptyBlocks <= Self.mostEmptyBlocks else {
                    damage = .emptyBlocks
                    break
                }
                try readBlockHeader()
            case .stored(let remaining): try copyStored(remaining)
            case .symbols: try readSymbols()
            case .streamChecksum, .end: break stepping
            }
        }
        if isChecked { checksum = adler32(checksum, history + start, uInt(count - start)) }
        if case .streamChecksum = place, damage == nil { try readChecksum() }
    }

    /// The checksum of all bytes, from its highest byte on (RFC 1950, 2.2).
    private mutating func readChecksum() throws(DecodingFault) {
        input.align()
        guard let stored = try input.read(32) else { return damage = .shortage }
        place = .end
        if isChecked, UInt32(truncatingIfNeeded: stored).byteSwapped != UInt32(checksum) {
            damage = .checksum
        }
    }
}
