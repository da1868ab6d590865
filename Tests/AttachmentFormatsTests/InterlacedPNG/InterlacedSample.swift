import CZlib
import Randomness

/// Synthetic interlaced PNG, written independently of any library but zlib.
struct InterlacedSample {
    /// Colour type and bit depth (PNG specification, table 12).
    struct Kind: Hashable, CustomStringConvertible {
        let colourType: UInt8
        let bitDepth: UInt8

        static let all: [Kind] = [
            (0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 2), (3, 4),
            (3, 8), (4, 8), (4, 16), (6, 8), (6, 16),
        ].map { Kind(colourType: $0.0, bitDepth: $0.1) }

        var bitsPerPixel: Int {
            Int(bitDepth) * [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][colourType, default: 1]
        }
        var description: String { "colour type \(colourType) with \(bitDepth) bits" }
    }

    /// Filter types of the rows.
    enum Filters: Equatable {
        case only(UInt8)
        /// All types in turn.
        case mixed
    }

    /// Division of the compressed stream into chunks.
    enum Chunking {
        case one
        /// Chunks of the given length.
        case pieces(Int)
        /// The same, with an empty chunk before each.
        case withEmpty(Int)
    }

    var kind = Kind(colourType: 2, bitDepth: 8)
    var width = 13
    var height = 11
    var seed: UInt64 = 1
    var filters = Filters.mixed
    var level: CInt = 6
    var windowBits: CInt = 15
    var chunking = Chunking.one
    /// Bytes between the header or palette and the image data.
    var before: [UInt8] = []
    /// Bytes after the image data.
    var after: [UInt8] = []
    /// Surplus bytes at the end of the inflated stream.
    var surplus = 0

    var testDescription: String { "\(width)×\(height), \(kind), filters \(filters)" }
}

extension InterlacedSample {
    /// Pixels as one number each.
    var pixels: [[UInt64]] {
        var random = SplitMix64(seed: seed)
        let mask = kind.bitsPerPixel == 64 ? UInt64.max : 1 << UInt64(kind.bitsPerPixel) - 1
        return (0..<height).map { _ in (0..<width).map { _ in random.next() & mask } }
    }

    /// Expected rows.
    var rows: [[UInt8]] { pixels.map { pack($0) } }

    /// Packs a row, with zero bits after the last pixel.
    func pack(_ row: [UInt64]) -> [UInt8] {
        let bits = kind.bitsPerPixel
        guard bits < 8 else {
            return row.flatMap { pixel in
                stride(from: bits - 8, through: 0, by: -8)
                    .map { UInt8(truncatingIfNeeded: pixel >> UInt64($0)) }
            }
        }
        var bytes = [UInt8](repeating: 0, count: (row.count * bits + 7) / 8)
        for (index, pixel) in row.enumerated() {
            let place = index * bits
            bytes[place / 8] |= UInt8(pixel) << UInt8(8 - bits - place % 8)
        }
        return bytes
    }

    /// Pass of each pixel in a tile of 8 × 8 (8.1), as drawn in the specification.
    static let drawing: [[Int]] = [
        [1, 6, 4, 6, 2, 6, 4, 6], [7, 7, 7, 7, 7, 7, 7, 7], [5, 6, 5, 6, 5, 6, 5, 6],
        [7, 7, 7, 7, 7, 7, 7, 7], [3, 6, 4, 6, 3, 6, 4, 6], [7, 7, 7, 7, 7, 7, 7, 7],
        [5, 6, 5, 6, 5, 6, 5, 6], [7, 7, 7, 7, 7, 7, 7, 7],
    ]

    /// Filtered rows with filter types of the first `count` passes.
    func inflated(passes count: Int = 7) -> [UInt8] {
        let pixels = pixels
        var bytes: [UInt8] = []
        var lines = 0
        for pass in 1...count {
            var above: [UInt8] = []
            for y in 0..<height {
                let row = (0..<width).filter { Self.drawing[y % 8][$0 % 8] == pass }
                    .map { pixels[y][$0] }
                if row.isEmpty { continue }
                let packed = pack(row)
                if above.isEmpty { above = [UInt8](repeating: 0, count: packed.count) }
                let filter: UInt8 =
                    switch filters {
                    case .only(let filter): filter
                    case .mixed: UInt8(lines % 5)
                    }
                let unit = max(kind.bitsPerPixel / 8, 1)
                bytes += [filter] + Self.filter(packed, above, filter, unit)
                above = packed
                lines += 1
            }
        }
        return bytes + [UInt8](repeating: 0, count: surplus)
    }

    /// Filters a row (9.2).
    private static func filter(
        _ row: [UInt8], _ above: [UInt8], _ filter: UInt8, _ unit: Int
    ) -> [UInt8] {
        row.indices.map { index in
            let (a, c) = index < unit ? (0, 0) : (Int(row[index - unit]), Int(above[index - unit]))
            let b = Int(above[index])
            let prediction =
                switch filter {
                case 1: a
                case 2: b
                case 3: (a + b) / 2
                case 4: paeth(a, b, c)
                default: 0
                }
            return row[index] &- UInt8(truncatingIfNeeded: prediction)
        }
    }

    private static func paeth(_ a: Int, _ b: Int, _ c: Int) -> Int {
        let p = a + b - c
        let (pa, pb, pc) = (abs(p - a), abs(p - b), abs(p - c))
        return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    }
}
