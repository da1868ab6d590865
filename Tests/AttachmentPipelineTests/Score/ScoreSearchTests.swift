import AttachmentPipeline
import Testing

@Suite("Search for a quality by its score", .timeLimit(.minutes(1)))
struct ScoreSearchTests {
    /// Finishes a search over a picture whose scores are a function of the quality.
    private static func search(
        for target: Double, _ score: (Int) -> Double
    ) -> (best: ScoreSearch.Trial?, rounds: Int) {
        var search = ScoreSearch(target)
        var rounds = 0
        while let quality = search.next {
            search.add(score(quality), at: quality)
            rounds += 1
        }
        return (search.best, rounds)
    }

    @Test("Pictures that lose more or less than others are found in at most four rounds")
    func pictures() throws {
        for target in stride(from: 55.0, through: 88, by: 1) {
            for (offset, slope) in [(0.0, 0.6), (3, 0.6), (-6, 0.7), (5, 0.5), (-3, 0.6)] {
                let score = { (quality: Int) in 75 + offset + slope * Double(quality - 72) }
                let found = Self.search(for: target, score)
                let best = try #require(found.best)
                #expect(found.rounds <= ScoreSearch.usualTrials)
                let reachable = (1...100).map { abs(score($0) - target) }.min() ?? 0
                #expect(
                    abs(best.score - target) <= max(1, reachable + 0.5),
                    "\(target) \(offset) \(slope): \(best)")
            }
        }
    }

    @Test(
        "Targets that no quality reaches end the search with the closest score")
    func unreachable() {
        let perfect = Self.search(for: 75) { _ in 100 }
        #expect(perfect.best?.score == 100 && perfect.rounds <= ScoreSearch.mostTrials)
        let poor = Self.search(for: 95) { Double($0) / 2 }
        #expect(poor.best?.quality == 100 && poor.best?.score == 50)
    }

    @Test("Pictures with scores far from a photograph's take up to six rounds")
    func far() throws {
        // Waves in grey: score by quality, measured.
        let measured: [(Double, Double)] = [
            (9.0, 65.3), (10, 68.6), (13, 75.5), (14, 76.7), (18, 82.4), (21, 85.5), (23, 86.7),
            (26, 87.9), (37, 91), (40, 91.3), (55, 92.5), (73, 93.7), (89, 95.4), (100, 96),
        ]
        let score = { (quality: Int) in
            let above = measured.firstIndex { $0.0 >= Double(quality) } ?? measured.count - 1
            let (low, high) = (measured[max(0, above - 1)], measured[above])
            let share = high.0 == low.0 ? 1 : (Double(quality) - low.0) / (high.0 - low.0)
            return low.1 + share * (high.1 - low.1)
        }
        for target in [75.0, 85] {
            let found = Self.search(for: target, score)
            let best = try #require(found.best)
            #expect(abs(best.score - target) <= 1.5, "\(best)")
            #expect(found.rounds > ScoreSearch.usualTrials)
            #expect(found.rounds <= ScoreSearch.mostTrials)
        }
    }

    @Test("Each quality is tried once")
    func once() {
        var search = ScoreSearch(75)
        var tried: [Int] = []
        while let quality = search.next {
            tried.append(quality)
            search.add(quality % 2 == 0 ? 74 : 76.2, at: quality)
        }
        #expect(Set(tried).count == tried.count && tried.count > 1)
    }
}
