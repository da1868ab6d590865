/// A set of histogram colours to be represented by one palette colour.
struct ColourBox {
    let range: Range<Int>
    let mean: SIMD3<Float>
    /// Sum of squared differences from the mean along the axis of largest spread.
    let spread: Float
    /// Axis of largest spread: 0 for red, 1 for green, 2 for blue.
    let axis: Int

    /// The range must not be empty.
    init(_ entries: [SIMD4<Float>], _ range: Range<Int>) {
        var (weight, sum) = (Float.zero, SIMD3<Float>.zero)
        for entry in entries[range] {
            weight += entry.w
            sum += entry.colour * entry.w
        }
        let mean = sum / weight
        var squares = SIMD3<Float>.zero
        for entry in entries[range] {
            let difference = entry.colour - mean
            squares += difference * difference * entry.w
        }
        squares *= ColourDistance.weights
        let axis = (0..<3).max { squares[$0] < squares[$1] } ?? 0
        (self.range, self.mean, self.axis, spread) = (range, mean, axis, squares[axis])
    }

    /// Splits the box at its mean, reordering its entries; nil if all are on one side.
    func halves(_ entries: inout [SIMD4<Float>]) -> (ColourBox, ColourBox)? {
        let (axis, limit) = (axis, mean[axis])
        let middle = entries[range].partition { $0[axis] > limit }
        guard middle > range.lowerBound, middle < range.upperBound else { return nil }
        return (
            ColourBox(entries, range.lowerBound..<middle),
            ColourBox(entries, middle..<range.upperBound)
        )
    }
}

extension SIMD4<Float> {
    var colour: SIMD3<Scalar> { SIMD3(x, y, z) }
}

extension SIMD4<Int32> {
    /// Red, green and blue of a pixel, and 0.
    @inline(__always)
    init(channelsOf pixel: UInt32) {
        self.init(
            Int32(truncatingIfNeeded: pixel & 255), Int32(truncatingIfNeeded: pixel >> 8 & 255),
            Int32(truncatingIfNeeded: pixel >> 16 & 255), 0)
    }
}

enum ColourDistance {
    /// Weights of red, green and blue, close to perception.
    ///
    /// The mean approximation by Riemersma, "Colour metric", is 2.5 : 4 : 2.5; these lean a little
    /// further towards luminance.
    static let weights = SIMD3<Float>(1, 2, 1)

    /// Weighted square of a difference of red, green and blue.
    @inline(__always)
    static func square(_ red: Int32, _ green: Int32, _ blue: Int32) -> Int32 {
        red &* red &+ 2 &* green &* green &+ blue &* blue
    }
}
