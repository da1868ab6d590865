/// How the samples of a PNG's pixels become red, green, blue and alpha of eight bits (PNG
/// specification, 11.2.1, 11.3.1).
struct PNGSamples: Sendable {
    private enum Kind { case grey, colour, palette, greyAlpha, colourAlpha }

    private let kind: Kind
    /// Bits of a sample: 1 to 16.
    private let depth: Int
    /// Bits of a pixel: 1 to 64.
    let bitsPerPixel: Int
    /// 256 colours; those that the file does not give are opaque black.
    private let palette: [UInt32]
    /// The samples that are transparent, of grey or of red, green and blue; nil when none are.
    private let transparent: [Int]?

    /// The depths that each colour type may have (table 12), and its samples.
    private static let types: [UInt8: (kind: Kind, depths: Set<Int>, samples: Int)] = [
        0: (.grey, [1, 2, 4, 8, 16], 1), 2: (.colour, [8, 16], 3),
        3: (.palette, [1, 2, 4, 8], 1), 4: (.greyAlpha, [8, 16], 2),
        6: (.colourAlpha, [8, 16], 4),
    ]

    /// Prepares.
    ///
    /// - Parameters:
    ///   - depth: Bits of a sample.
    ///   - type: The colour type.
    ///   - palette: The data of PLTE; none when there is no such chunk.
    ///   - transparency: The data of tRNS; none when there is no such chunk.
    ///   - offset: Where the header stands in the file, in bytes from its start.
    /// - Throws: `corrupt`.
    init(
        depth: Int, type: UInt8, palette: [UInt8], transparency: [UInt8], at offset: Int
    ) throws(DecodingFault) {
        guard let found = Self.types[type], found.depths.contains(depth) else {
            throw DecodingFault(
                .corrupt, at: offset + 8, "colour type \(type) with \(depth) bits")
        }
        (kind, self.depth) = (found.kind, depth)
        bitsPerPixel = found.samples * depth
        guard found.kind != .palette || palette.count >= 3 else {
            throw DecodingFault(.corrupt, at: offset, "it has no palette")
        }
        self.palette = (0..<256).map { index in
            let alpha = index < transparency.count ? UInt32(transparency[index]) : 255
            guard 3 * index + 2 < palette.count else { return 0xFF00_0000 }
            let colour = palette[(3 * index)..<(3 * index + 3)].reversed()
            return alpha << 24 | colour.reduce(0) { $0 << 8 | UInt32($1) }
        }
        let keys = found.kind == .grey ? 1 : found.kind == .colour ? 3 : 0
        transparent =
            keys > 0 && transparency.count >= 2 * keys
            ? (0..<keys).map { Int(transparency[2 * $0]) << 8 | Int(transparency[2 * $0 + 1]) }
            : nil
    }

    /// What a row takes (7.2): the last byte may be used in part.
    ///
    /// - Parameter width: Of the row, in pixels.
    /// - Returns: Bytes.
    func rowBytes(_ width: Int) -> Int { (width * bitsPerPixel + 7) / 8 }

    /// The bytes of a whole pixel, 1 where that is less.
    var unit: Int { max(1, bitsPerPixel / 8) }

    /// A pixel.
    ///
    /// - Parameters:
    ///   - x: Its number in the row.
    ///   - row: A row without its filter.
    /// - Returns: Red in the lowest byte, then green, blue and alpha.
    @inline(__always)
    func pixel(_ x: Int, of row: UnsafePointer<UInt8>) -> UInt32 {
        switch kind {
        case .palette:
            return palette[sample(x, of: row)]
        case .grey:
            let value = sample(x, of: row)
            let grey = UInt32(depth == 16 ? value >> 8 : value * 255 / ((1 << depth) - 1))
            return grey * 0x01_0101 | (transparent?[0] == value ? 0 : 0xFF00_0000)
        case .greyAlpha:
            let grey = UInt32(eightBits(2 * x, of: row))
            return grey * 0x01_0101 | UInt32(eightBits(2 * x + 1, of: row)) << 24
        case .colourAlpha:
            return colour(4 * x, of: row) | UInt32(eightBits(4 * x + 3, of: row)) << 24
        case .colour:
            let isTransparent =
                transparent.map { key in
                    (0..<3).allSatisfy { sample(3 * x + $0, of: row) == key[$0] }
                } ?? false
            return colour(3 * x, of: row) | (isTransparent ? 0 : 0xFF00_0000)
        }
    }

    @inline(__always)
    private func colour(_ first: Int, of row: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(eightBits(first, of: row)) | UInt32(eightBits(first + 1, of: row)) << 8
            | UInt32(eightBits(first + 2, of: row)) << 16
    }

    /// The upper eight bits of a sample of eight or sixteen.
    @inline(__always)
    private func eightBits(_ index: Int, of row: UnsafePointer<UInt8>) -> UInt8 {
        row[depth == 16 ? 2 * index : index]
    }

    /// A sample with all of its bits.
    @inline(__always)
    private func sample(_ index: Int, of row: UnsafePointer<UInt8>) -> Int {
        switch depth {
        case 8: return Int(row[index])
        case 16: return Int(row[2 * index]) << 8 | Int(row[2 * index + 1])
        default:
            let bit = index * depth
            return Int(row[bit >> 3]) >> (8 - depth - (bit & 7)) & ((1 << depth) - 1)
        }
    }
}
