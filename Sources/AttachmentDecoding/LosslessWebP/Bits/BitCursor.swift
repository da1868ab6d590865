/// A place in a stream of bits whose lowest bits come first (RFC 9649, section 3.1).
///
/// It is what decoding loops keep in registers: four words, copied out of a `BitSource` and back.
/// Reading never checks for the end of the bytes; `BitSource.topUp` does, in front of every step.
struct BitCursor {
    /// How many bytes one step may read on from a cursor that does not need more: two refills move
    /// on by 8 at the most, and read 8.
    static let stepBytes = 32

    /// The next bits, the lowest first; those from `count` on are the same as those of the bytes at
    /// `next`, or 0.
    var bits: UInt64 = 0
    /// How many of `bits` are to be consumed; below 64.
    var count = 0
    /// The byte after those that `bits` holds for certain.
    ///
    /// It lies in the buffer of the source that made the cursor, which outlives it.
    var next: UnsafePointer<UInt8>
    /// The last place of `next` from which a step may be made.
    var limit: UnsafePointer<UInt8>

    /// Whether a step may pass the bytes at hand.
    @inline(__always)
    var needsMore: Bool { next > limit }

    /// Holds at least 56 bits from here on.
    ///
    /// The bytes read are inside the buffer: `next` passes `limit` by less than a step.
    @inline(__always)
    mutating func refill() {
        let word = UnsafeRawPointer(next).loadUnaligned(as: UInt64.self)
        bits |= UInt64(littleEndian: word) &<< UInt64(truncatingIfNeeded: count)
        next += (63 &- count) &>> 3
        count |= 56
    }

    /// Passes over bits.
    ///
    /// - Parameter length: How many, not more than are held.
    @inline(__always)
    mutating func drop(_ length: Int) {
        bits &>>= UInt64(truncatingIfNeeded: length)
        count &-= length
    }

    /// The number in the next bits.
    ///
    /// - Parameter length: How many, 0 to 32, not more than are held.
    /// - Returns: The number.
    @inline(__always)
    mutating func take(_ length: Int) -> Int {
        let value = bits & ((1 &<< UInt64(truncatingIfNeeded: length)) &- 1)
        drop(length)
        return Int(truncatingIfNeeded: value)
    }

    /// The next symbol of a prefix code.
    ///
    /// - Parameters:
    ///   - table: The entries of a `PrefixTable`; the index is inside them, since the first level
    ///     has as many as the mask tells apart, and a link leads to a second level as wide as it
    ///     says.
    ///   - mask: Of the bits that choose among the first level.
    /// - Returns: The symbol.
    @inline(__always)
    mutating func symbol(_ table: UnsafePointer<UInt16>, _ mask: UInt64) -> Int {
        var entry = Int(table[Int(truncatingIfNeeded: bits & mask)])
        var length = entry & 15
        if _slowPath(length > PrefixTable.rootBits) {
            let width = UInt64(truncatingIfNeeded: length &- PrefixTable.rootBits)
            let rest = (bits &>> UInt64(PrefixTable.rootBits)) & ((1 &<< width) &- 1)
            entry = Int(table[entry &>> 4 &+ Int(truncatingIfNeeded: rest)])
            length = entry & 15
        }
        drop(length)
        return entry &>> 4
    }
}
