/// Computes an optimised palette for a histogram.
///
/// Splits boxes of colours where they vary most: Heckbert's median cut, in the variance-based
/// variant of Wan, Wong and Prusinkiewicz. A few rounds of Lloyd's algorithm follow.
enum PaletteMaker {
    /// Rounds of Lloyd's algorithm; more gain less than 0.1 dB.
    private static let rounds = 3

    /// Returns a palette of 1 to 255 colours; the palettes of intermediate steps are put into
    /// `search`.
    static func palette(
        for histogram: ColourHistogram, colours limit: Int, _ search: NearestColour
    ) -> Palette {
        var entries: [SIMD4<Float>] = []
        entries.reserveCapacity(histogram.entryCount)
        histogram.forEach { entries.append($0) }
        guard !entries.isEmpty else { return Palette([]) }
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
        for _ in 0..<rounds where means.count < entries.count {
            search.use(palette(of: means))
            means = nearestMeans(entries, search, means)
        }
        return palette(of: means)
    }

    /// Weighted mean squared error of a palette.
    static func error(of search: NearestColour, for histogram: ColourHistogram) -> Float {
        var (sum, weight) = (Float.zero, Float.zero)
        histogram.forEach { entry in
            let difference = entry.colour - search.colour(search.index(of: entry.colour))
            sum += (difference * difference * ColourDistance.weights).sum() * entry.w
            weight += entry.w
        }
        return weight > 0 ? sum / weight / ColourDistance.weights.sum() : 0
    }

    private static func nearestMeans(
        _ entries: [SIMD4<Float>], _ search: NearestColour, _ means: [SIMD3<Float>]
    ) -> [SIMD3<Float>] {
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
            })
    }
}
