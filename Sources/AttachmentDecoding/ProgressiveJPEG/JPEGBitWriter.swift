/// Writes the bits of entropy-coded data into memory, with stuffing (T.81, B.1.1.5).
struct JPEGBitWriter {
    /// Where the next byte goes; its owner sees to it that there is room.
    var next: UnsafeMutablePointer<UInt8>
    /// Bits that were not written yet, in the lowest places.
    private var bits: UInt64 = 0
    /// How many they are; fewer than 32 between calls.
    private var count = 0

    /// Makes a writer.
    ///
    /// - Parameter next: Where the first byte goes.
    init(to next: UnsafeMutablePointer<UInt8>) { self.next = next }

    /// Appends bits.
    ///
    /// - Parameters:
    ///   - value: The bits, in the lowest places; zeros above.
    ///   - length: How many they are, at most 31.
    @inline(__always)
    mutating func append(_ value: UInt32, _ length: Int) {
        bits = bits &<< UInt64(truncatingIfNeeded: length) | UInt64(value)
        count &+= length
        guard count >= 32 else { return }
        count &-= 32
        let word = UInt32(truncatingIfNeeded: bits &>> UInt64(truncatingIfNeeded: count))
        // Whether a byte is 0xFF: one of the complement is 0, and only then a borrow is not masked.
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

    /// Fills up the last byte with ones (T.81, F.1.2.3) and writes all.
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
