/// Takes bits of entropy-coded data out of memory in which stuffing is undone.
///
/// It is small and plain, so that inner loops hold it in registers; ``JPEGEntropyReader`` owns the
/// memory, keeps zeros behind the data, and sees to it that a block's worth of bytes can be read
/// whenever ``next`` is before ``checkpoint``.
struct JPEGBitReader {
    /// Bits that were read and not taken, from the highest bit on.
    var bits: UInt64 = 0
    /// How many they are; below them are zeros, or bits that reading brings again.
    var count = 0
    /// The next byte to read.
    var next: UnsafePointer<UInt8>
    /// From here on a block may need more bytes than there are.
    var checkpoint: UnsafePointer<UInt8>

    /// Sees to it that 32 bits can be taken: the longest code, 16 bits and one that shows that it is
    /// none, and the longest value, 15.
    @inline(__always)
    mutating func refill() {
        if count < 32 { refillFully() }
    }

    /// Sees to it that 56 bits can be taken.
    @inline(__always)
    mutating func refillFully() {
        // Valid: eight bytes from `next` lie in the memory, by the promise above.
        let word = UnsafeRawPointer(next).loadUnaligned(as: UInt64.self).bigEndian
        bits |= word &>> UInt64(truncatingIfNeeded: count)
        next += (63 &- count) &>> 3
        count |= 56
    }

    /// The next bits, which stay.
    ///
    /// - Parameter length: 1 to 32; that many must be there.
    /// - Returns: The bits, in the lowest places.
    @inline(__always)
    func peek(_ length: Int) -> Int {
        Int(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: 64 &- length))
    }

    /// Passes over bits.
    ///
    /// - Parameter length: 0 to 32; that many must be there.
    @inline(__always)
    mutating func skip(_ length: Int) {
        bits &<<= UInt64(truncatingIfNeeded: length)
        count &-= length
    }

    /// Takes bits.
    ///
    /// - Parameter length: 0 to 32; that many must be there.
    /// - Returns: The bits, in the lowest places.
    @inline(__always)
    mutating func take(_ length: Int) -> Int {
        // In two steps, since a shift by 64 shifts by nothing.
        let value = Int(
            truncatingIfNeeded: (bits &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- length))
        skip(length)
        return value
    }

    /// Takes the bits of a value (T.81, F.2.2.1: RECEIVE and EXTEND).
    ///
    /// - Parameter category: 0 to 15.
    /// - Returns: The value.
    @inline(__always)
    mutating func takeValue(_ category: Int) -> Int {
        Self.extended(take(category), category: category)
    }

    /// The value that bits stand for (T.81, table F.1).
    ///
    /// - Parameters:
    ///   - bits: As many as the category says.
    ///   - category: 0 to 15.
    /// - Returns: The value.
    @inline(__always)
    static func extended(_ bits: Int, category: Int) -> Int {
        // The lower half of a category are its negative values.
        bits < (1 &<< category) &>> 1 ? bits &+ 1 &- (1 &<< category) : bits
    }

    /// Takes a symbol whose code may be of any length; ``refill()`` comes before.
    ///
    /// - Parameter codes: The table.
    /// - Returns: The symbol; −1 when there is no such code, for which 17 bits are taken.
    @inline(__always)
    mutating func takeSymbol(_ codes: JPEGHuffmanCodes) -> Int {
        let entry = codes.entries[peek(JPEGHuffmanCodes.width)]
        let length = Int(entry & 15)
        guard length != 0 else { return takeLongSymbol(codes) }
        skip(length)
        return Int(entry &>> 8 & 255)
    }

    /// Takes a symbol whose code is longer than the first step of the table.
    ///
    /// - Parameter codes: The table.
    /// - Returns: The symbol; −1 when there is no such code, for which 17 bits are taken.
    @inline(never)
    mutating func takeLongSymbol(_ codes: JPEGHuffmanCodes) -> Int {
        let word = peek(16)
        var length = JPEGHuffmanCodes.width + 1
        while length <= 16, word >= Int(codes.canonical[length]) { length += 1 }
        guard length <= 16 else {
            // As libjpeg, which sees that there is no code when it has taken one bit too many.
            skip(17)
            return -1
        }
        skip(length)
        let place = word &>> (16 &- length) &+ Int(codes.canonical[17 + length])
        // Valid: there are 256 symbols, and the place of a code is below.
        return Int(codes.canonical[34 &+ (place & 255)])
    }
}
