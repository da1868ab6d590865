import AttachmentContainer

/// A picture in linear light: premultiplied Display P3 red, green, blue, and alpha.
struct Raster: Sendable {
    /// In pixels.
    let size: PixelSize
    /// Columns from left to right, each from top to bottom.
    let pixels: [SIMD4<Float>]

    subscript(x: Int, y: Int) -> SIMD4<Float> { pixels[x * size.height + y] }
}

/// A drawable scene.
///
/// The frame's longer side is from -1 to 1. The origin is its centre, and y grows upwards.
protocol Scene: Sendable {
    /// Light along one vertical line of the frame.
    func column(_ x: Float, _ heights: [Float]) -> [SIMD4<Float>]
}

extension Scene {
    /// Draws the scene with `samples` × `samples` samples per pixel.
    func rendered(_ size: PixelSize, samples: Int) async -> Raster {
        let unit = 2 / Float(max(size.width, size.height) * samples)
        let rows = size.height * samples
        let heights = (0..<rows).map { (Float(rows) / 2 - Float($0) - 0.5) * unit }
        let columns = await concurrentMap(size.width) { column in
            var sums = [SIMD4<Float>](repeating: .zero, count: size.height)
            for sample in column * samples..<(column + 1) * samples {
                let x = (Float(sample) + 0.5 - Float(size.width * samples) / 2) * unit
                for (row, light) in self.column(x, heights).enumerated() {
                    // Clamped, because very bright highlights would leave jagged edges after
                    // averaging.
                    sums[row / samples] += light.clamped(
                        lowerBound: SIMD4(repeating: -8), upperBound: SIMD4(repeating: 8))
                }
            }
            return sums.map { $0 / Float(samples * samples) }
        }
        return Raster(size: size, pixels: columns.flatMap { $0 })
    }
}

/// A scene in which every point can be drawn independently.
protocol PointScene: Scene {
    func light(at place: Plane) -> SIMD4<Float>
}

extension PointScene {
    func column(_ x: Float, _ heights: [Float]) -> [SIMD4<Float>] {
        heights.map { light(at: Plane(x, $0)) }
    }
}

/// Computes elements on all cores; the result does not depend on their number.
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
