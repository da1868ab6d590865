/// Writes fields of bits, the highest bit first (AV1 specification, 4.10.2).
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var count = 0

    mutating func write(_ value: Int, bits: Int) {
        for shift in (0..<bits).reversed() {
            if count % 8 == 0 { bytes.append(0) }
            bytes[count / 8] |= UInt8(value >> shift & 1) << UInt8(7 - count % 8)
            count += 1
        }
    }

    mutating func write(_ flag: Bool) { write(flag ? 1 : 0, bits: 1) }
}

/// Reads fields of bits, the highest bit first.
struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// Bits that are left.
    var remaining: Int { 8 * bytes.count - position }

    mutating func read(_ bits: Int) throws(InlinePictureError) -> Int {
        guard bits <= remaining else {
            throw InlinePictureError(.truncated, "a header of AV1 ends too early")
        }
        var value = 0
        for _ in 0..<bits {
            value = value << 1 | Int(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
            position += 1
        }
        return value
    }

    mutating func flag() throws(InlinePictureError) -> Bool { try read(1) == 1 }
}
