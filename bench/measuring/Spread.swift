import Foundation

/// Median and range of several rounds.
package struct Spread: Encodable, Sendable {
    package let median: Double
    package let least: Double
    package let greatest: Double

    package init(_ rounds: [Double]) {
        let sorted = rounds.sorted()
        let middle = sorted.count / 2
        median =
            sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        least = sorted[0]
        greatest = sorted[sorted.count - 1]
    }

    /// The median, with the range in brackets.
    package func text(digits: Int) -> String {
        func number(_ value: Double) -> String { String(format: "%.\(digits)f", value) }
        return "\(number(median)) (\(number(least)) to \(number(greatest)))"
    }
}
