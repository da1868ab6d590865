/// Bit writer, least significant bit first, as in WebP, GIF and deflate.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var held: UInt64 = 0
    private var count = 0

    mutating func put(_ value: Int, _ length: Int) {
        held |= UInt64(value) << UInt64(count)
        count += length
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: held))
            held >>= 8
            count -= 8
        }
    }

    mutating func put(_ flag: Bool) { put(flag ? 1 : 0, 1) }

    /// All bytes, the last one padded with zeros.
    func finished() -> [UInt8] { count > 0 ? bytes + [UInt8(truncatingIfNeeded: held)] : bytes }
}
