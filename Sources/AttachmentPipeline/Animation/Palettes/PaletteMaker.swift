/// Computes an optimised palette for a histogram.
///
/// Splits boxes of colours where they vary most: Heckbert's median cut, in the variance-based
/// variant of Wan, Wong and Prusinkiewicz. A few rounds of Lloyd's algorithm follow.
enum PaletteMaker {
    /// Rounds of Lloyd's algorithm; more gain less than 0.1 dB.
    private static let rounds = 3

    /// Returns a palette of 1 to 255 colours and its weighted mean squared error.
    static func palette(
        for histogram: ColourHistogram, colours limit: Int
    ) -> (palette: Palette, error: Float) {
        var entries: [SIMD4<Float>] = []
        entries.reserveCapacity(histogram.entryCount)
        histogram.forEach { entries.append($0) }
        guard !entries.isEmpty else { return (Palette([], isExact: false), 0) }
        var boxes = [ColourBox(entries, 0..<entries.count)]
        while boxes.count < limit,
            let widest = boxes.indices.max(by: { boxes[$0].spread < boxes[$1].spread }),
            boxes[widest].spread > 0,
            let halves = boxes[widest].halves(&entries)
        {
            boxes[widest] = halves.0
            boxes.append(halves.1)
        }
        var means = boxes.map(\.mean)
        var palette = palette(of: means)
        for _ in 0..<rounds where means.count < entries.count {
            means = nearestMeans(entries, to: palette, means)
            palette = Self.palette(of: means)
        }
        return (palette, error(of: palette, for: histogram))
    }

    static func error(of palette: Palette, for histogram: ColourHistogram) -> Float {
        let search = NearestColour(palette)
        var (sum, weight) = (Float.zero, Float.zero)
        histogram.forEach { entry in
            let difference = entry.colour - search.colour(search.index(of: entry.colour))
            sum += (difference * difference * ColourDistance.weights).sum() * entry.w
            weight += entry.w
        }
        return weight > 0 ? sum / weight / ColourDistance.weights.sum() : 0
    }

    private static func nearestMeans(
        _ entries: [SIMD4<Float>], to palette: Palette, _ means: [SIMD3<Float>]
    ) -> [SIMD3<Float>] {
        let search = NearestColour(palette)
        var sums = Array(repeating: SIMD4<Float>.zero, count: means.count)
        for entry in entries {
            sums[search.index(of: entry.colour)] += SIMD4(entry.colour, 1) * entry.w
        }
        return zip(sums, means).map { sum, mean in
            sum.w > 0 ? sum.colour / sum.w : mean
        }
    }

    private static func palette(of means: [SIMD3<Float>]) -> Palette {
        Palette(
            means.map { mean in
                let rounded = SIMD3<UInt32>(mean, rounding: .toNearestOrEven)
                return rounded.x | rounded.y << 8 | rounded.z << 16
            }, isExact: false)
    }
}
