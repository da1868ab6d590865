/// Writes entropy-coded bits to memory, with byte stuffing (T.81, B.1.1.5).
struct JPEGBitWriter {
    /// Position of the next byte; the caller provides enough room.
    var next: UnsafeMutablePointer<UInt8>
    private var bits: UInt64 = 0
    /// Number of unwritten bits; below 32 between calls.
    private var count = 0

    init(to next: UnsafeMutablePointer<UInt8>) { self.next = next }

    /// Appends the lowest `length` bits, at most 31; the bits above must be zero.
    @inline(__always)
    mutating func append(_ value: UInt32, _ length: Int) {
        bits = bits &<< UInt64(truncatingIfNeeded: length) | UInt64(value)
        count &+= length
        guard count >= 32 else { return }
        count &-= 32
        let word = UInt32(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: count))
        // Tests for a 0xFF byte: the complement then has a zero byte, which leaves an unmasked
        // borrow.
        guard (~word &- 0x0101_0101) & word & 0x8080_8080 != 0 else {
            UnsafeMutableRawPointer(next).storeBytes(of: word.bigEndian, as: UInt32.self)
            next += 4
            return
        }
        write(UInt8(truncatingIfNeeded: word &>> 24))
        write(UInt8(truncatingIfNeeded: word &>> 16))
        write(UInt8(truncatingIfNeeded: word &>> 8))
        write(UInt8(truncatingIfNeeded: word))
    }

    /// Pads the last byte with ones (T.81, F.1.2.3) and writes all bits.
    mutating func finish() {
        append(127, 7)
        while count >= 8 {
            count &-= 8
            write(UInt8(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: count)))
        }
        (bits, count) = (0, 0)
    }

    @inline(__always)
    private mutating func write(_ byte: UInt8) {
        next.pointee = byte
        next += 1
        if byte == 0xFF {
            next.pointee = 0
            next += 1
        }
    }
}
