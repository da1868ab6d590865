import AttachmentContainer

/// A saliency map of a small picture, for choosing a crop.
///
/// Edges, skin colours and saturated colours score, as in smartcrop.js by Jonas Wagner and in
/// libvips' `smartcrop`. That operation runs two dozen others, whose set-up takes a tenth of an
/// attachment's time; this is one pass over at most 100 × 100 pixels.
package struct Attention {
    let size: PixelSize
    private var columns: [Double]
    private var rows: [Double]

    package init(_ miniature: Miniature) {
        let (size, rgba) = (miniature.size, miniature.rgba)
        self.size = size
        columns = Array(repeating: 0, count: size.width)
        rows = Array(repeating: 0, count: size.height)
        let luma = stride(from: 0, to: rgba.count, by: 4).map { pixel -> Double in
            // ITU-R BT.709, section 3.2.
            let red: Double = 0.2126 * Double(rgba[pixel])
            let green: Double = 0.7152 * Double(rgba[pixel + 1])
            let blue: Double = 0.0722 * Double(rgba[pixel + 2])
            return (red + green + blue) * Double(rgba[pixel + 3]) / 255
        }
        for row in 0..<size.height {
            let weight = Self.weight(ofRow: row, of: size.height)
            for column in 0..<size.width {
                let index = row * size.width + column
                let pixel = SIMD4(
                    Double(rgba[4 * index]), Double(rgba[4 * index + 1]),
                    Double(rgba[4 * index + 2]), Double(rgba[4 * index + 3]))
                let saliency = Self.edge(luma, column, row, size) + Self.colour(pixel)
                let score = saliency * pixel.w / 255
                columns[column] += score
                rows[row] += score * weight
            }
        }
    }

    /// The largest window of a ratio (height divided by width) with the highest score.
    ///
    /// The result is the offset of its left and upper edge as a fraction of the free room, 0 to 1.
    func window(ratio: Double) -> (horizontal: Double, vertical: Double) {
        let (width, height) = (Double(size.width), Double(size.height))
        return (
            Self.heaviest(columns, max(1, Int(min(width, height / ratio).rounded()))),
            Self.heaviest(rows, max(1, Int(min(height, width * ratio).rounded())))
        )
    }

    /// Faces are in the upper half of tall photographs, and the texture of a ground outweighs them
    /// by a tenth.
    private static func weight(ofRow row: Int, of height: Int) -> Double {
        1.2 - 0.4 * Double(row) / Double(height)
    }

    /// The Laplacian of the luminance; zero for constant and linearly rising light.
    private static func edge(
        _ luma: [Double], _ column: Int, _ row: Int, _ size: PixelSize
    ) -> Double {
        guard column > 0, column < size.width - 1, row > 0, row < size.height - 1 else { return 0 }
        let index = row * size.width + column
        let around =
            luma[index - 1] + luma[index + 1] + luma[index - size.width]
            + luma[index + size.width]
        return abs(4 * luma[index] - around)
    }

    private static func colour(_ pixel: SIMD4<Double>) -> Double {
        let (red, green, blue) = (pixel.x, pixel.y, pixel.z)
        let length = (red * red + green * green + blue * blue).squareRoot()
        // Dark pixels have no visible colour.
        guard length > 40 else { return 0 }
        // The skin vector of smartcrop.js.
        let (x, y, z) = (red / length - 0.78, green / length - 0.57, blue / length - 0.44)
        let distance = (x * x + y * y + z * z).squareRoot()
        let skin = max(0, 1 - 4 * distance) * 60
        let saturation = (max(red, green, blue) - min(red, green, blue)) / 255 * 40
        return skin + saturation
    }

    /// Offset of the window with the highest sum; of equal windows, the middle one.
    private static func heaviest(_ scores: [Double], _ length: Int) -> Double {
        let room = scores.count - length
        guard room > 0 else { return 0 }
        var sum = scores[..<length].reduce(0, +)
        var sums = [sum]
        for start in 1...room {
            sum += scores[start + length - 1] - scores[start - 1]
            sums.append(sum)
        }
        let highest = sums.max() ?? 0
        let best = sums.indices.filter { sums[$0] >= highest - 1e-6 * max(1, highest) }
        return Double(best[best.count / 2]) / Double(room)
    }
}
