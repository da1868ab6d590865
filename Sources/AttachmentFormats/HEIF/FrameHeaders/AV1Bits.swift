/// Bit reader for the syntax elements of an OBU (AV1 bitstream specification, 4.10).
///
/// Past the end, all values read as zero and `isOverrun` is set, so parsers check only once.
struct AV1Bits {
    private let bytes: [UInt8]
    private var position = 0
    /// True after a read past the end.
    private(set) var isOverrun = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func flag() -> Bool { bits(1) == 1 }

    /// Reads an unsigned number of 0 to 32 bits, f(n).
    mutating func bits(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            var bit = 0
            if position < 8 * bytes.count {
                bit = Int(bytes[position >> 3] >> UInt8(7 - position & 7)) & 1
            } else {
                isOverrun = true
            }
            position += 1
            value = value << 1 | bit
        }
        return value
    }

    mutating func skip(_ count: Int) {
        for _ in 0..<count { _ = bits(1) }
    }

    /// Reads a variable-length unsigned number, uvlc().
    mutating func variableLength() -> Int {
        var zeros = 0
        while !flag() {
            zeros += 1
            guard zeros < 32, !isOverrun else { return 0 }
        }
        return (1 << zeros) - 1 + bits(zeros)
    }

    /// Reads a number below `limit`, ns(n); `limit` is at least 1.
    mutating func number(below limit: Int) -> Int {
        let width = Int.bitWidth - limit.leadingZeroBitCount
        let short = (1 << width) - limit
        let value = bits(width - 1)
        return value < short ? value : (value << 1) - short + bits(1)
    }
}
