import Foundation

/// The median of some rounds, and how far they lie apart.
package struct Spread: Encodable, Sendable {
    /// The middle round.
    package let median: Double
    /// The least of the rounds.
    package let least: Double
    /// The greatest of the rounds.
    package let greatest: Double

    /// Sums up the rounds.
    ///
    /// - Parameter rounds: A figure for each, at least one.
    package init(_ rounds: [Double]) {
        let sorted = rounds.sorted()
        let middle = sorted.count / 2
        median =
            sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        least = sorted[0]
        greatest = sorted[sorted.count - 1]
    }

    /// The median, with the extremes in brackets.
    ///
    /// - Parameter digits: Digits after the point.
    /// - Returns: For example `81.2 (79.9 to 90.3)`.
    package func text(digits: Int) -> String {
        func number(_ value: Double) -> String { String(format: "%.\(digits)f", value) }
        return "\(number(median)) (\(number(least)) to \(number(greatest)))"
    }
}
