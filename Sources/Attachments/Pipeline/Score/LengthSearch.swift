package import AttachmentContainer
import Foundation

/// Search for the highest JPEG quality of one size whose file is under a byte ceiling.
///
/// Each round costs an encoding. The search follows a straight line of the logarithms of length and
/// of libjpeg's scale of its tables (`jpeg_quality_scaling`).
package struct LengthSearch {
    /// A quality with the length of its file.
    package struct Trial: Sendable, Hashable {
        package let quality: Int
        package let length: ByteCount

        package init(quality: Int, length: ByteCount) {
            (self.quality, self.length) = (quality, length)
        }
    }

    /// Rounds at most.
    package static let mostTrials = 6
    /// Share of the ceiling that is close enough: about a step of quality, which is half a point.
    private static let closeEnough = 0.97
    /// Share of the ceiling that rounds aim at, so that most misses are still close enough.
    private static let aim = 0.985
    /// Logarithm of length by that of the scale: the median of 36 pictures at three sizes; nine in ten
    /// have 0.5 to 0.8 above quality 40.
    private static let slope = -0.63

    private let ceiling: ByteCount
    private let qualities: ClosedRange<Int>
    private let expected: Trial
    private var trials: [Trial] = []

    /// - Parameters:
    ///   - ceiling: Most bytes of the file.
    ///   - qualities: Qualities to choose from, from 1 to 99.
    ///   - expected: A trial of another size, with the length to be expected of this one.
    package init(under ceiling: ByteCount, _ qualities: ClosedRange<Int>, expected: Trial) {
        (self.ceiling, self.qualities, self.expected) = (ceiling, qualities, expected)
    }

    /// The quality of the next round; nil if the search is over.
    package var next: Int? {
        guard trials.count < Self.mostTrials else { return nil }
        let (below, above) = (best, shortestAbove)
        if let below {
            let isClose = Double(below.length.bytes) >= Self.closeEnough * Double(ceiling.bytes)
            if isClose || below.quality == qualities.upperBound { return nil }
        }
        if let above, above.quality == qualities.lowerBound { return nil }
        let least = below.map { $0.quality + 1 } ?? qualities.lowerBound
        let most = above.map { $0.quality - 1 } ?? qualities.upperBound
        guard least <= most else { return nil }
        // A last round without a fitting file tells whether there is one.
        if below == nil, trials.count == Self.mostTrials - 1 { return least }
        return min(most, max(least, guess(below, above)))
    }

    /// The trial with the highest quality under the ceiling; nil before there is one.
    package var best: Trial? {
        trials.filter { $0.length <= ceiling }.max { $0.quality < $1.quality }
    }

    package mutating func add(_ length: ByteCount, at quality: Int) {
        trials.append(Trial(quality: quality, length: length))
    }

    private var shortestAbove: Trial? {
        trials.filter { $0.length > ceiling }.min { $0.quality < $1.quality }
    }

    private func guess(_ below: Trial?, _ above: Trial?) -> Int {
        let near = below ?? above ?? expected
        let wanted = Self.aim * Double(ceiling.bytes) / Double(max(1, near.length.bytes))
        var slope = pair(below, above).map(Self.slope) ?? Self.slope
        // Beyond both trials, a flat part of the line would lead far away; between them, it cannot.
        if below == nil || above == nil { slope = min(-0.1, max(-1.2, slope)) }
        return Self.quality(of: Self.scale(of: near.quality) * pow(wanted, 1 / slope))
    }

    /// The two trials around the ceiling, or those next to it.
    private func pair(_ below: Trial?, _ above: Trial?) -> (low: Trial, high: Trial)? {
        if let below, let above { return (below, above) }
        let sorted = trials.sorted { $0.quality < $1.quality }
        guard sorted.count > 1 else { return nil }
        let next = below == nil ? sorted.prefix(2) : sorted.suffix(2)
        return (next[next.startIndex], next[next.startIndex + 1])
    }

    /// The slope between two trials.
    private static func slope(_ low: Trial, _ high: Trial) -> Double {
        let lengths = Double(max(1, high.length.bytes)) / Double(max(1, low.length.bytes))
        return log(lengths) / log(scale(of: high.quality) / scale(of: low.quality))
    }

    /// Percent of the tables of ITU-T T.81, K.1.
    private static func scale(of quality: Int) -> Double {
        quality < 50 ? 5000 / Double(quality) : Double(200 - 2 * quality)
    }

    private static func quality(of scale: Double) -> Int {
        let quality = scale > 100 ? 5000 / scale : (200 - scale) / 2
        return Int(min(99, max(1, quality)).rounded())
    }
}
