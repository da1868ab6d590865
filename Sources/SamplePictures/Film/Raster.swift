import AttachmentContainer

/// A picture in linear light: red, green and blue of the Display P3 primaries times coverage, and
/// coverage.
struct Raster: Sendable {
    /// In pixels.
    let size: PixelSize
    /// Columns from left to right, each from top to bottom.
    let pixels: [SIMD4<Float>]

    /// The pixel in a column and a row.
    subscript(x: Int, y: Int) -> SIMD4<Float> { pixels[x * size.height + y] }
}

/// Something that can be drawn.
///
/// The frame's longer side runs from -1 to 1, its centre is the origin, and y grows upwards.
protocol Scene: Sendable {
    /// The light along one vertical line of the frame.
    ///
    /// - Parameters:
    ///   - x: Where the line is.
    ///   - heights: The places on it, evenly spaced from the top down.
    /// - Returns: Light and coverage at each place.
    func column(_ x: Float, _ heights: [Float]) -> [SIMD4<Float>]
}

extension Scene {
    /// Draws the scene, averaging several samples a pixel.
    ///
    /// - Parameters:
    ///   - size: In pixels.
    ///   - samples: Along each side of a pixel.
    /// - Returns: The picture.
    func rendered(_ size: PixelSize, samples: Int) async -> Raster {
        let unit = 2 / Float(max(size.width, size.height) * samples)
        let rows = size.height * samples
        let heights = (0..<rows).map { (Float(rows) / 2 - Float($0) - 0.5) * unit }
        let columns = await concurrentMap(size.width) { column in
            var sums = [SIMD4<Float>](repeating: .zero, count: size.height)
            for sample in column * samples..<(column + 1) * samples {
                let x = (Float(sample) + 0.5 - Float(size.width * samples) / 2) * unit
                for (row, light) in self.column(x, heights).enumerated() {
                    // A highlight far beyond white would leave jagged edges after the mean.
                    sums[row / samples] += light.clamped(
                        lowerBound: SIMD4(repeating: -8), upperBound: SIMD4(repeating: 8))
                }
            }
            return sums.map { $0 / Float(samples * samples) }
        }
        return Raster(size: size, pixels: columns.flatMap { $0 })
    }
}

/// A scene whose every place is independent of the others.
protocol PointScene: Scene {
    /// The light at a place of the frame.
    ///
    /// - Parameter place: In the frame's coordinates.
    /// - Returns: Light and coverage.
    func light(at place: Plane) -> SIMD4<Float>
}

extension PointScene {
    func column(_ x: Float, _ heights: [Float]) -> [SIMD4<Float>] {
        heights.map { light(at: Plane(x, $0)) }
    }
}

/// Computes elements on all cores, in an order that does not depend on them.
///
/// - Parameters:
///   - count: How many elements.
///   - element: Computes the element of an index.
/// - Returns: The elements by index.
func concurrentMap<Element: Sendable>(
    _ count: Int, _ element: @escaping @Sendable (Int) -> Element
) async -> [Element] {
    let strip = 16
    return await withTaskGroup(of: (Int, [Element]).self) { group in
        for start in stride(from: 0, to: count, by: strip) {
            group.addTask { (start, (start..<min(start + strip, count)).map(element)) }
        }
        var strips: [Int: [Element]] = [:]
        for await (start, elements) in group { strips[start] = elements }
        return strips.sorted { $0.key < $1.key }.flatMap(\.value)
    }
}
