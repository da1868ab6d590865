/// Some of a histogram's colours, which one colour of a palette is to stand for.
struct ColourBox {
    /// Which of the entries it has.
    let range: Range<Int>
    /// The mean of its colours.
    let mean: SIMD3<Float>
    /// How much the colours differ from the mean along the axis of the largest difference: the sum
    /// of the squares.
    let spread: Float
    /// That axis: 0 for red, 1 for green, 2 for blue.
    let axis: Int

    /// Measures a box.
    ///
    /// - Parameters:
    ///   - entries: The histogram's colours, and how many they are.
    ///   - range: Which of them the box has, at least one.
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

    /// Cuts the box at its mean, across the axis of the largest difference.
    ///
    /// - Parameter entries: The histogram's colours; those of the box change their places.
    /// - Returns: Two boxes; nil when all of it lies on one side.
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
    /// Red, green and blue of an entry of a histogram.
    var colour: SIMD3<Scalar> { SIMD3(x, y, z) }
}

/// How far colours are from each other.
enum ColourDistance {
    /// What a difference of red, green and blue counts: what an eye sees of them is about 1 : 2 : 1
    /// (the mean of the approximation by Riemersma, "Colour metric", 2.5 : 4 : 2.5, a little
    /// further towards luminance).
    static let weights = SIMD3<Float>(1, 2, 1)
}
