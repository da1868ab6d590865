/// Bit reader for the syntax elements of an OBU (AV1 bitstream specification, 4.10) or of a NAL
/// unit, without emulation prevention bytes (H.265, 7.3.1.1 and 9.2).
///
/// Past the end, all values read as zero and `isOverrun` is set, so parsers check only once.
struct SyntaxBits {
    private let bytes: ArraySlice<UInt8>
    private let hasEmulationPrevention: Bool
    private var index: Int
    private var zeros = 0
    private var current: UInt8 = 0
    private var bitsLeft = 0
    private(set) var isOverrun = false

    init(obu payload: [UInt8]) {
        bytes = payload[...]
        index = 0
        hasEmulationPrevention = false
    }

    /// Starts after the two-byte header.
    init(nalUnit unit: ArraySlice<UInt8>) {
        bytes = unit
        index = unit.startIndex + 2
        hasEmulationPrevention = true
    }

    mutating func flag() -> Bool { bits(1) == 1 }

    /// Reads an unsigned number of 0 to 32 bits, f(n) and u(n).
    mutating func bits(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            if bitsLeft == 0 { loadByte() }
            bitsLeft -= 1
            value = value << 1 | Int(current >> UInt8(bitsLeft) & 1)
        }
        return value
    }

    mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = bits(1) }
    }

    /// Reads a variable-length unsigned number of AV1, uvlc().
    mutating func variableLength() -> Int {
        var zeros = 0
        while !flag() {
            zeros += 1
            guard zeros < 32, !isOverrun else { return 0 }
        }
        return (1 << zeros) - 1 + bits(zeros)
    }

    /// Reads a number of AV1 below `limit`, ns(n); `limit` is at least 1.
    mutating func number(below limit: Int) -> Int {
        let width = Int.bitWidth - limit.leadingZeroBitCount
        let short = (1 << width) - limit
        let value = bits(width - 1)
        return value < short ? value : (value << 1) - short + bits(1)
    }

    /// Reads an unsigned Exp-Golomb number of H.265, ue(v); at most 2^32 - 2.
    mutating func unsignedGolomb() -> Int {
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

    /// Marks the element last read as out of range.
    mutating func fail() { isOverrun = true }

    private mutating func loadByte() {
        if hasEmulationPrevention, index < bytes.endIndex, zeros >= 2, bytes[index] == 3 {
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
