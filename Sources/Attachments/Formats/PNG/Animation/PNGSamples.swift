internal import CPredictors

/// Conversion of PNG samples to 8-bit RGBA (PNG specification, 11.2.1, 11.3.1).
struct PNGSamples: Sendable {
    private let kind: PNGColourType
    private let depth: Int
    /// 256 colours; entries missing from the file are opaque black.
    private let palette: [UInt32]
    /// Transparent grey sample, or red, green and blue; nil without a colour key.
    private let transparent: [Int]?

    /// `palette` and `transparency` are the data of PLTE and tRNS, empty if absent; `offset` is the
    /// header's.
    init(
        _ header: PNGImageHeader, palette: [UInt8], transparency: [UInt8], at offset: Int
    ) throws(DecodingFault) {
        kind = try header.checkedColourType(at: offset)
        depth = header.bitDepth
        guard kind != .palette || palette.count >= 3 else {
            throw DecodingFault(.corrupt, at: offset, "it has no palette")
        }
        self.palette = (0..<256).map { index in
            let alpha = index < transparency.count ? UInt32(transparency[index]) : 255
            guard 3 * index + 2 < palette.count else { return 0xFF00_0000 }
            let colour = palette[(3 * index)..<(3 * index + 3)].reversed()
            return alpha << 24 | colour.reduce(0) { $0 << 8 | UInt32($1) }
        }
        let keys = kind == .grey ? 1 : kind == .colour ? 3 : 0
        // Only the low bits of a key count (PNG specification, third edition, 11.3.1.1).
        let mask = 1 << header.bitDepth - 1
        transparent =
            keys > 0 && transparency.count >= 2 * keys
            ? (0..<keys).map {
                (Int(transparency[2 * $0]) << 8 | Int(transparency[2 * $0 + 1])) & mask
            } : nil
    }

    /// Writes the colours of a row of 8-bit indices, as RGB or RGBA; returns false for other rows.
    func writeColours(
        _ row: UnsafePointer<UInt8>, width: Int, to target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard kind == .palette, depth == 8, let base = target.baseAddress else { return false }
        palette.withUnsafeBufferPointer { palette in
            thimble_write_colours(
                row, width, palette.baseAddress, target.count / width,
                base.assumingMemoryBound(to: UInt8.self))
        }
        return true
    }

    /// Returns pixel `x` of an unfiltered row: red in the lowest byte, then green, blue and alpha.
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

    /// Upper eight bits of an 8-bit or 16-bit sample.
    @inline(__always)
    private func eightBits(_ index: Int, of row: UnsafePointer<UInt8>) -> UInt8 {
        row[depth == 16 ? 2 * index : index]
    }

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
