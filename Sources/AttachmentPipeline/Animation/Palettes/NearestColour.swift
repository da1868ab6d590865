/// Exact nearest-colour search in a palette.
///
/// Divides the colour space into cells of 16 levels per channel. On first use, a cell lists the
/// colours that can be nearest to any of its points, usually a handful.
final class NearestColour {
    private static let cellBits = 4
    /// Limit on the total length of all lists; beyond it, all lists are discarded.
    private static let poolLimit = 32 << 10

    private let points: [SIMD4<Int32>]
    /// Per cell, the start of its list in the pool above nine bits of length; 0 for an unused cell.
    private var cells: [UInt32]
    private var pool: [UInt8] = []

    init(_ palette: Palette) {
        points = palette.colours.map { SIMD4(channelsOf: $0) }
        cells = Array(repeating: 0, count: 1 << (3 * Self.cellBits))
        pool.reserveCapacity(Self.poolLimit + 256)
    }

    /// Index of the nearest palette colour; channels are 0 to 255, and the fourth lane is 0.
    @inline(__always)
    func index(of colour: SIMD4<Int32>) -> Int {
        let high = colour &>> 4
        let number = Int(high.x | high.y &<< 4 | high.z &<< 8)
        var cell = cells[number]
        if cell == 0 { cell = fill(number) }
        let start = Int(cell >> 9)
        let count = Int(cell & 511)
        return pool.withUnsafeBufferPointer { pool in
            points.withUnsafeBufferPointer { points in
                var (best, bestDistance) = (0, Int32.max)
                for place in start..<start &+ count {
                    let index = Int(pool[place])
                    let distance = ColourDistance.square(points[index] &- colour)
                    if distance < bestDistance { (best, bestDistance) = (index, distance) }
                }
                return best
            }
        }
    }

    /// Index of the nearest palette colour; channels are 0 to 255.
    func index(of colour: SIMD3<Float>) -> Int {
        let rounded = SIMD3<Int32>(colour, rounding: .toNearestOrEven)
        return index(of: SIMD4(rounded, 0))
    }

    func colour(_ index: Int) -> SIMD3<Float> {
        let point = points[index]
        return SIMD3(Float(point.x), Float(point.y), Float(point.z))
    }

    private func fill(_ number: Int) -> UInt32 {
        if pool.count > Self.poolLimit {
            pool.removeAll(keepingCapacity: true)
            for index in cells.indices { cells[index] = 0 }
        }
        let low = SIMD4<Int32>(
            Int32(number & 15) << 4, Int32(number >> 4 & 15) << 4, Int32(number >> 8) << 4, 0)
        let high = SIMD4<Int32>(low.x + 15, low.y + 15, low.z + 15, 0)
        var limit = Int32.max
        for point in points {
            let farthest = pointwiseMax(point &- low, high &- point)
            limit = min(limit, ColourDistance.square(farthest))
        }
        let start = pool.count
        for (index, point) in points.enumerated() {
            let nearest = pointwiseMax(pointwiseMax(low &- point, point &- high), .zero)
            if ColourDistance.square(nearest) <= limit { pool.append(UInt8(index)) }
        }
        let cell = UInt32(start) << 9 | UInt32(pool.count - start)
        cells[number] = cell
        return cell
    }
}
