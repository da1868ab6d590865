/// Rows of values in which every pair of values of two factors occurs at least once.
///
/// Greedy selection after D. Cohen and others, "The AETG System" (IEEE Transactions on Software
/// Engineering, 1997): each row is the candidate that covers the most new pairs.
package struct Pairwise: Sendable, Hashable {
    /// The index of one value of every factor, for each row.
    package let rows: [[Int]]

    /// Candidates for each row; more of them save a few rows and cost time.
    private static let candidates = 12

    /// Chooses the rows.
    package init(_ counts: [Int], seed: UInt64) {
        guard counts.count > 1 else {
            rows = counts.first.map { (0..<$0).map { [$0] } } ?? []
            return
        }
        var uncovered = PairSet(counts)
        var random = SplitMix64(seed: seed)
        var rows: [[Int]] = []
        while let first = uncovered.first {
            var best: (row: [Int], gain: Int) = ([], 0)
            for _ in 0..<Self.candidates {
                let row = Self.candidate(first, counts, uncovered, &random)
                let gain = uncovered.gain(of: row)
                if gain > best.gain { best = (row, gain) }
            }
            uncovered.cover(best.row)
            rows.append(best.row)
        }
        self.rows = rows
    }

    /// Extends a pair to a row: factors in random order, each with the value that covers the most
    /// new pairs with the factors before it.
    private static func candidate(
        _ first: PairSet.Pair, _ counts: [Int], _ uncovered: PairSet, _ random: inout SplitMix64
    ) -> [Int] {
        var row = [Int](repeating: 0, count: counts.count)
        row[first.factors.0] = first.values.0
        row[first.factors.1] = first.values.1
        var chosen = [first.factors.0, first.factors.1]
        let others = counts.indices.filter { !chosen.contains($0) }.shuffled(using: &random)
        for factor in others {
            let gains = (0..<counts[factor]).map { value in
                chosen.count { uncovered.contains(($0, factor), (row[$0], value)) }
            }
            let most = gains.max() ?? 0
            let best = gains.indices.filter { gains[$0] == most }
            row[factor] = best[random.below(best.count)]
            chosen.append(factor)
        }
        return row
    }
}

/// Pairs that are not covered by a row yet.
private struct PairSet {
    /// Two different factors, and a value of each.
    struct Pair {
        let factors: (Int, Int)
        let values: (Int, Int)
    }

    private let counts: [Int]
    /// Flags of uncovered pairs of values, for each two factors with the lower first.
    private var remaining: [[Bool]]
    private var left: [Int]

    init(_ counts: [Int]) {
        self.counts = counts
        remaining = []
        left = []
        for first in counts.indices {
            for second in counts.indices {
                let pairs = first < second ? counts[first] * counts[second] : 0
                remaining.append(Array(repeating: true, count: pairs))
                left.append(pairs)
            }
        }
    }

    /// A pair of the two factors with the most uncovered pairs; nil if all are covered.
    var first: Pair? {
        guard let table = left.indices.max(by: { left[$0] < left[$1] }),
            let place = remaining[table].firstIndex(of: true)
        else { return nil }
        let factors = (table / counts.count, table % counts.count)
        return Pair(
            factors: factors,
            values: (place / counts[factors.1], place % counts[factors.1]))
    }

    func contains(_ factors: (Int, Int), _ values: (Int, Int)) -> Bool {
        let (table, place) = place(factors, values)
        return remaining[table][place]
    }

    /// The number of uncovered pairs in a row.
    func gain(of row: [Int]) -> Int {
        var gain = 0
        for first in row.indices {
            for second in row.indices.dropFirst(first + 1)
            where contains((first, second), (row[first], row[second])) {
                gain += 1
            }
        }
        return gain
    }

    /// Removes the pairs of a row.
    mutating func cover(_ row: [Int]) {
        for first in row.indices {
            for second in row.indices.dropFirst(first + 1) {
                let (table, place) = place((first, second), (row[first], row[second]))
                if remaining[table][place] { left[table] -= 1 }
                remaining[table][place] = false
            }
        }
    }

    private func place(_ factors: (Int, Int), _ values: (Int, Int)) -> (Int, Int) {
        factors.0 < factors.1
            ? (factors.0 * counts.count + factors.1, values.0 * counts[factors.1] + values.1)
            : (factors.1 * counts.count + factors.0, values.1 * counts[factors.0] + values.0)
    }
}
