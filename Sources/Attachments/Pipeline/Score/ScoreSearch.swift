/// Search for the JPEG quality that gives a score.
///
/// Each round costs an encoding and a score. The first one takes the quality that gives the score to a
/// typical photograph. Later ones follow the typical photograph's curve, shifted and stretched to the
/// scores measured so far.
package struct ScoreSearch {
    /// A quality with its measured score.
    package struct Trial: Sendable, Hashable {
        package let quality: Int
        package let score: Double
    }

    /// Rounds at most.
    package static let mostTrials = 6
    /// Distance from the target that ends the search: about one step of quality.
    private static let tolerance = 0.5
    /// Rounds that photographs take; after them a larger distance is close enough.
    ///
    /// Pictures of grey waves, whose scores are far from the typical photograph's, ended up to 3.6 points
    /// away in four rounds, and within 1.5 in six; a smooth grey banner 4.1 away.
    package static let usualTrials = 4
    /// Distance that ends the search after the usual rounds.
    private static let wideTolerance = 1.5

    private let target: Double
    private var trials: [Trial] = []

    /// - Parameter target: The score, from 1 to 100.
    package init(_ target: Double) { self.target = target }

    /// The quality of the next round; nil if the search is over.
    package var next: Int? {
        let closest = closestTrials
        guard let best = closest.first else { return Self.quality(of: target) }
        let tolerance = closest.count < Self.usualTrials ? Self.tolerance : Self.wideTolerance
        guard closest.count < Self.mostTrials, abs(best.score - target) > tolerance else {
            return nil
        }
        let step = (target - best.score) * stretch(closest)
        var quality = Self.quality(of: Self.score(of: best.quality) + step)
        // A step of quality may be worth more than the distance.
        if quality == best.quality { quality += best.score < target ? 1 : -1 }
        guard 1...100 ~= quality, !trials.contains(where: { $0.quality == quality }) else {
            return nil
        }
        return quality
    }

    /// The trial closest to the target; nil before the first.
    package var best: Trial? { closestTrials.first }

    /// True if the best score is close enough to the target, or no farther from it than another's.
    package func isAsClose(as other: ScoreSearch) -> Bool {
        guard let best, let others = other.best else { return false }
        return abs(best.score - target) <= max(Self.wideTolerance, abs(others.score - target))
    }

    package mutating func add(_ score: Double, at quality: Int) {
        trials.append(Trial(quality: quality, score: score))
    }

    private var closestTrials: [Trial] {
        trials.sorted { abs($0.score - target) < abs($1.score - target) }
    }

    /// Points of the typical photograph for each point of this picture.
    ///
    /// The bounds keep two close trials, whose scores differ by rounding, from misleading the next.
    private func stretch(_ closest: [Trial]) -> Double {
        guard closest.count > 1 else { return 1 }
        let own = closest[0].score - closest[1].score
        let typical = Self.score(of: closest[0].quality) - Self.score(of: closest[1].quality)
        return own == 0 ? 1 : min(2.5, max(0.4, typical / own))
    }
}

extension ScoreSearch {
    /// Medians of 40 photographs at 900 and 1320 pixels, encoded by libjpeg-turbo as 4:2:0 and scored
    /// against the picture before its chroma was halved; the first one ends the line below 10.
    private static let typical: [(quality: Double, score: Double)] = [
        (1, -100), (10, -20), (20, 25), (30, 46), (40, 56.5), (50, 62.5), (60, 67.2), (70, 73),
        (75, 76), (80, 79.2), (85, 82.3), (90, 85.8), (95, 89.9), (100, 93.6),
    ]

    private static func score(of quality: Int) -> Double {
        interpolated(Double(quality), typical.map { ($0.quality, $0.score) })
    }

    private static func quality(of score: Double) -> Int {
        Int(interpolated(score, typical.map { ($0.score, $0.quality) }).rounded())
    }

    /// The value of a line through points in ascending order; beyond both ends, it is constant.
    private static func interpolated(_ x: Double, _ points: [(x: Double, y: Double)]) -> Double {
        for (one, other) in zip(points, points.dropFirst()) where x <= other.x {
            let share = max(0, x - one.x) / (other.x - one.x)
            return one.y + share * (other.y - one.y)
        }
        return points[points.count - 1].y
    }
}
