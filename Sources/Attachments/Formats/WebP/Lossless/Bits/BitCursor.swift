/// Position in a bit stream, least significant bit first (RFC 9649, section 3.1).
///
/// Loops keep a copy in registers. Reading never checks for the end of the data; `BitSource.topUp`
/// does, before every step.
struct BitCursor {
    /// Two refills advance by up to 8 bytes each and read 8.
    static let stepBytes = 32

    /// Bits from `count` on are 0 or look-ahead that matches the bytes at `next`.
    var bits: UInt64 = 0
    var count = 0
    /// First byte not fully loaded into `bits`, in the buffer of the source, which outlives the
    /// cursor.
    var next: UnsafePointer<UInt8>
    /// Last position of `next` from which a step stays in the buffer.
    var limit: UnsafePointer<UInt8>

    @inline(__always)
    var needsMore: Bool { next > limit }

    /// Loads at least 56 bits, inside the buffer: `next` passes `limit` by less than a step.
    @inline(__always)
    mutating func refill() {
        let word = UnsafeRawPointer(next).loadUnaligned(as: UInt64.self)
        bits |= UInt64(littleEndian: word) &<< UInt64(truncatingIfNeeded: count)
        next += (63 &- count) &>> 3
        count |= 56
    }

    @inline(__always)
    mutating func drop(_ length: Int) {
        bits &>>= UInt64(truncatingIfNeeded: length)
        count &-= length
    }

    @inline(__always)
    mutating func take(_ length: Int) -> Int {
        let value = bits & ((1 &<< UInt64(truncatingIfNeeded: length)) &- 1)
        drop(length)
        return Int(truncatingIfNeeded: value)
    }

    /// Decodes a symbol; `mask` selects the index bits of the first level.
    ///
    /// Indices stay inside the table: the first level has an entry for each masked value, and a
    /// link leads to a second level of the stated width.
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
