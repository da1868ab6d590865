/// A BMP with a header of 40 bytes or more, without a palette.
struct SampleBMP {
    var width = 40
    /// Negative for rows from top to bottom.
    var height = 30
    var planes = 1
    var bits = 24
    var compression = 0
    var headerBytes = 40
    /// Offset of the pixels; nil for the end of the header.
    var offset: Int?
    /// Red, green, blue and alpha, from byte 40 of the header.
    var masks: [Int] = []

    func bytes(_ data: [UInt8]) -> [UInt8] {
        var info = [headerBytes, width, height].flatMap { little($0, 4) }
        info += little(planes, 2) + little(bits, 2)
        info += [compression, 0, 0, 0, 0, 0].flatMap { little($0, 4) }
        info += masks.flatMap { little($0, 4) }
        info += [UInt8](repeating: 0, count: max(0, headerBytes - info.count))
        let start = offset ?? 14 + info.count
        return Array("BM".utf8) + little(14 + info.count + data.count, 4) + little(0, 4)
            + little(start, 4) + info + data
    }

    /// All rows, in one colour.
    var bytes: [UInt8] {
        bytes([UInt8](repeating: 90, count: (width * bits + 31) / 32 * 4 * abs(height)))
    }

    private func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
