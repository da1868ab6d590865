/// Bit reader for the syntax elements of a NAL unit, without emulation prevention bytes (H.265,
/// 7.3.1.1 and 9.2).
///
/// Past the end, all values read as zero and `isOverrun` is set, so parsers check only once.
package struct HEVCBits {
    private let bytes: ArraySlice<UInt8>
    private var index: Int
    private var zeros = 0
    private var current: UInt8 = 0
    private var bitsLeft = 0
    /// True after a read past the end.
    package private(set) var isOverrun = false

    /// Starts after the two-byte NAL unit header.
    package init(_ unit: ArraySlice<UInt8>) {
        bytes = unit
        index = unit.startIndex + 2
    }

    package mutating func flag() -> Bool { bits(1) == 1 }

    /// Reads an unsigned number of 0 to 32 bits, u(n).
    package mutating func bits(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            if bitsLeft == 0 { loadByte() }
            bitsLeft -= 1
            value = value << 1 | Int(current >> UInt8(bitsLeft) & 1)
        }
        return value
    }

    package mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = bits(1) }
    }

    /// Reads an unsigned Exp-Golomb number, ue(v); at most 2^32 - 2.
    package mutating func unsignedGolomb() -> Int {
        var length = 0
        while !flag() {
            length += 1
            guard length <= 32, !isOverrun else {
                isOverrun = true
                return 0
            }
        }
        return (1 << length) - 1 + bits(length)
    }

    private mutating func loadByte() {
        if index < bytes.endIndex, zeros >= 2, bytes[index] == 3 {
            index += 1
            zeros = 0
        }
        bitsLeft = 8
        guard index < bytes.endIndex else {
            current = 0
            isOverrun = true
            return
        }
        current = bytes[index]
        zeros = current == 0 ? zeros + 1 : 0
        index += 1
    }
}
