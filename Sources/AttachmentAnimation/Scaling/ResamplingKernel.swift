/// Which pixels of a line make which pixels of a shorter line, and how much of each.
///
/// The kernel is the cubic of Catmull and Rom (Mitchell and Netravali, "Reconstruction Filters in
/// Computer Graphics", 1988: B = 0, C = 1/2), widened by the reduction: nearly as sharp as Lanczos'
/// with three lobes, with less ringing, which few colours would show as bands, and two thirds of its
/// pixels.
struct ResamplingKernel {
    /// Pixels of the line.
    let source: Int
    /// Pixels of the shorter line.
    let target: Int
    /// Pixels of the line for each of the shorter one; at least 1.
    private let scale: Double

    /// How far the kernel reaches, in pixels of the shorter line.
    private static let reach = 2.0

    /// Makes a kernel.
    ///
    /// - Parameters:
    ///   - source: Pixels of the line, at least 1.
    ///   - target: Pixels of the shorter line, at least 1 and at most `source`.
    init(from source: Int, to target: Int) {
        (self.source, self.target) = (source, target)
        scale = Double(source) / Double(target)
    }

    /// The most pixels of the shorter line that one pixel of the line is part of, and one for what
    /// rounding may add.
    static var overlap: Int { 2 * Int(reach) + 1 }

    /// The pixels of the line that make one of the shorter line.
    ///
    /// - Parameter index: Of the shorter line.
    /// - Returns: At least one pixel.
    func pixels(for index: Int) -> Range<Int> {
        let centre = (Double(index) + 0.5) * scale
        let first = Int((centre - Self.reach * scale - 0.5).rounded(.down)) + 1
        let end = Int((centre + Self.reach * scale - 0.5).rounded(.up))
        return max(0, first)..<min(source, end)
    }

    /// How much each of `pixels(for:)` counts; together 1.
    ///
    /// - Parameter index: Of the shorter line.
    /// - Returns: A weight for each pixel.
    func weights(for index: Int) -> [Float] {
        let centre = (Double(index) + 0.5) * scale
        let weights = pixels(for: index).map { pixel in
            Self.value(at: abs(Double(pixel) + 0.5 - centre) / scale)
        }
        let sum = weights.reduce(0, +)
        return weights.map { Float($0 / sum) }
    }

    /// The pixels of the shorter line that some of the line's are part of.
    ///
    /// - Parameter range: Pixels of the line.
    /// - Returns: Those whose `pixels(for:)` meets them.
    func targets(of range: Range<Int>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        // One more on either side than the kernel reaches, then those that are not met go.
        var first = max(0, Int(Double(range.lowerBound) / scale - Self.reach) - 1)
        var end = min(target, Int(Double(range.upperBound) / scale + Self.reach) + 2)
        while first < end, !pixels(for: first).overlaps(range) { first += 1 }
        while end > first, !pixels(for: end - 1).overlaps(range) { end -= 1 }
        return first..<end
    }

    private static func value(at distance: Double) -> Double {
        let x = distance
        if x < 1 { return 1.5 * x * x * x - 2.5 * x * x + 1 }
        if x < 2 { return -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 }
        return 0
    }
}
