import CQuantiser
import Testing

/// A picture of RGBA pixels, and its colours after quantising.
struct QuantisedPicture {
    let width: Int
    let source: [UInt8]
    /// Four bytes of RGBA for each colour.
    let palette: [UInt8]
    let indices: [UInt8]

    /// Quantises pixels, four bytes of RGBA each.
    init(_ source: [UInt8], width: Int, most: Int = 256) throws {
        let quantiser = try #require(thimble_quantiser_new(CInt(width)))
        defer { thimble_quantiser_free(quantiser) }
        let rows = stride(from: 0, to: source.count, by: 4 * width).map {
            Array(source[$0..<$0 + 4 * width])
        }
        for row in rows { thimble_quantiser_count(quantiser, row) }
        var palette = [UInt8](repeating: 0, count: 4 * Int(thimble_quantiser_colours))
        let count = thimble_quantiser_choose(quantiser, CInt(most), &palette)
        var (indices, line) = ([UInt8](), [UInt8](repeating: 0, count: width))
        for row in rows {
            thimble_quantiser_map(quantiser, row, &line)
            indices += line
        }
        (self.width, self.source, self.indices) = (width, source, indices)
        self.palette = Array(palette.prefix(4 * Int(count)))
    }

    /// Creates the pixels by a function of column and row.
    init(
        width: Int, height: Int, most: Int = 256, _ pixel: (Int, Int) -> SIMD4<UInt8>
    ) throws {
        var source: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let pixel = pixel(x, y)
                for band in 0..<4 { source.append(pixel[band]) }
            }
        }
        try self.init(source, width: width, most: most)
    }

    var colourCount: Int { palette.count / 4 }

    /// The pixels that are shown.
    var shown: [UInt8] { indices.flatMap { palette[4 * Int($0)..<4 * Int($0) + 4] } }

    /// Mean squared error of the pixels over black and over white.
    var error: Double {
        let shown = shown
        var sum = 0.0
        for first in stride(from: 0, to: source.count, by: 4) {
            for band in 0..<3 {
                let black = Self.over(0, source, first, band) - Self.over(0, shown, first, band)
                let white = Self.over(255, source, first, band) - Self.over(255, shown, first, band)
                sum += black * black + white * white
            }
        }
        return sum / Double(source.count / 4 * 6)
    }

    /// Largest difference of the means of squares of `side` pixels, over black.
    func largestError(ofSquares side: Int) -> Double {
        let (shown, height) = (shown, source.count / 4 / width)
        var largest = 0.0
        for top in stride(from: 0, through: height - side, by: side) {
            for left in stride(from: 0, through: width - side, by: side) {
                for band in 0..<3 {
                    var sum = 0.0
                    for y in top..<top + side {
                        for x in left..<left + side {
                            let first = 4 * (y * width + x)
                            sum +=
                                Self.over(0, source, first, band) - Self.over(0, shown, first, band)
                        }
                    }
                    largest = max(largest, abs(sum) / Double(side * side))
                }
            }
        }
        return largest
    }

    private static func over(
        _ background: Double, _ pixels: [UInt8], _ first: Int, _ band: Int
    ) -> Double {
        let alpha = Double(pixels[first + 3]) / 255
        return Double(pixels[first + band]) * alpha + background * (1 - alpha)
    }
}
