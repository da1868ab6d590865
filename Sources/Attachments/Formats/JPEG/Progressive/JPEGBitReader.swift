/// Reads bits of entropy-coded data from memory without stuffing.
///
/// Small enough for inner loops to keep in registers. ``JPEGEntropyReader`` owns the memory and
/// keeps zeros after the data. While ``next`` is before ``checkpoint``, a whole block can be read
/// without a check.
struct JPEGBitReader {
    var bits: UInt64 = 0
    /// Number of valid bits; the bits below are zeros or look-ahead that the next refill reads
    /// again.
    var count = 0
    var next: UnsafePointer<UInt8>
    /// Position from which a block may need more bytes than the memory holds.
    var checkpoint: UnsafePointer<UInt8>

    /// Loads at least 32 bits: a code of up to 16 bits, one more to detect an invalid code, and a
    /// value of up to 15.
    @inline(__always)
    mutating func refill() {
        if count < 32 { refillFully() }
    }

    @inline(__always)
    mutating func refillFully() {
        // In bounds: eight bytes from `next` are in the memory, as the type requires.
        let word = UnsafeRawPointer(next).loadUnaligned(as: UInt64.self).bigEndian
        bits |= word &>> UInt64(truncatingIfNeeded: count)
        next += (63 &- count) &>> 3
        count |= 56
    }

    @inline(__always)
    func peek(_ length: Int) -> Int {
        Int(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 64 &- length))
    }

    @inline(__always)
    mutating func skip(_ length: Int) {
        bits &<<= UInt64(truncatingIfNeeded: length)
        count &-= length
    }

    @inline(__always)
    mutating func take(_ length: Int) -> Int {
        // Two shifts, because `&>>` by 64 would shift by 0.
        let value = Int(
            truncatingIfNeeded: (bits &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- length))
        skip(length)
        return value
    }

    /// Reads the bits of a value of category 0 to 15 (T.81, F.2.2.1: RECEIVE and EXTEND).
    @inline(__always)
    mutating func takeValue(_ category: Int) -> Int {
        Self.extended(take(category), category: category)
    }

    /// Sign-extends the bits of a value of category 0 to 15 (T.81, table F.1).
    @inline(__always)
    static func extended(_ bits: Int, category: Int) -> Int {
        // The lower half of a category is negative.
        bits < (1 &<< category) &>> 1 ? bits &+ 1 &- (1 &<< category) : bits
    }

    /// Reads a symbol after ``refill()``; returns −1 and consumes 17 bits for an invalid code.
    @inline(__always)
    mutating func takeSymbol(_ codes: JPEGHuffmanCodes) -> Int {
        let entry = codes.entries[peek(JPEGHuffmanCodes.width)]
        let length = Int(entry & 15)
        guard length != 0 else { return takeLongSymbol(codes) }
        skip(length)
        return Int(entry &>> 8 & 255)
    }

    @inline(never)
    mutating func takeLongSymbol(_ codes: JPEGHuffmanCodes) -> Int {
        let word = peek(16)
        var length = JPEGHuffmanCodes.width + 1
        while length <= 16, word >= Int(codes.canonical[length]) { length += 1 }
        guard length <= 16 else {
            // Same as libjpeg, which detects an invalid code one bit late.
            skip(17)
            return -1
        }
        skip(length)
        let position = word &>> (16 &- length) &+ Int(codes.canonical[17 + length])
        // In bounds: there are 256 symbols, and the mask limits the index.
        return Int(codes.canonical[34 &+ (position & 255)])
    }
}
