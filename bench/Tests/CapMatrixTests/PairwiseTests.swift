import Randomness
import Testing

@Suite("Pairwise selection")
struct PairwiseTests {
    @Test(
        "Every pair of values is covered",
        arguments: [[2, 2], [3, 4, 5], [36, 8, 3, 3, 2, 3, 5, 2], [1, 7, 1], [1, 1]])
    func coverage(counts: [Int]) {
        let rows = Pairwise(counts, seed: 1).rows
        for row in rows {
            #expect(row.count == counts.count)
            #expect(zip(row, counts).allSatisfy { 0..<$1 ~= $0 })
        }
        var checked = 0
        for first in counts.indices {
            for second in counts.indices where second > first {
                let pairs = Set(rows.map { [$0[first], $0[second]] })
                #expect(pairs.count == counts[first] * counts[second])
                checked += 1
            }
        }
        #expect(checked == counts.count * (counts.count - 1) / 2)
    }

    @Test("The selection is at most half longer than its lower bound")
    func size() {
        let counts = [36, 8, 3, 3, 2, 3, 5, 2]
        let rows = Pairwise(counts, seed: 1).rows
        // The lower bound: a row covers one pair of the two longest factors.
        #expect(rows.count >= 36 * 8)
        #expect(rows.count <= 36 * 8 * 3 / 2)
        #expect(Set(rows).count == rows.count)
    }

    @Test("The same seed selects the same rows")
    func seed() {
        let counts = [5, 4, 3, 3]
        #expect(Pairwise(counts, seed: 7) == Pairwise(counts, seed: 7))
        #expect(Pairwise(counts, seed: 7) != Pairwise(counts, seed: 8))
    }

    @Test("A single factor has a row for each value; no factors have no rows")
    func degenerate() {
        #expect(Pairwise([3], seed: 1).rows == [[0], [1], [2]])
        #expect(Pairwise([], seed: 1).rows.isEmpty)
    }
}
