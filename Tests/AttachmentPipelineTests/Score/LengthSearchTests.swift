import AttachmentContainer
import AttachmentPipeline
import Foundation
import Testing

@Suite("Search for a quality by the length of its file", .timeLimit(.minutes(1)))
struct LengthSearchTests {
    /// Bytes of a picture at a quality, falling by a power of the scale of libjpeg's tables.
    private static func length(_ quality: Int, slope: Double) -> ByteCount {
        let percent = quality < 50 ? 5000 / Double(quality) : Double(200 - 2 * quality)
        return ByteCount(Int(100_000 * pow(percent / 40, -slope)) + 600)
    }

    private static func search(
        under ceiling: Int, slope: Double, expected: LengthSearch.Trial, most: Int = 80
    ) -> (best: LengthSearch.Trial?, rounds: Int) {
        var search = LengthSearch(under: ByteCount(ceiling), 10...most, expected: expected)
        var rounds = 0
        while let quality = search.next {
            search.add(length(quality, slope: slope), at: quality)
            rounds += 1
        }
        return (search.best, rounds)
    }

    @Test("The file is under the ceiling, and at most 3 % shorter than the longest that is")
    func pictures() throws {
        // Noise has slopes above 1.5 at low qualities.
        for slope in [0.2, 0.4, 0.5, 0.63, 0.8, 1, 1.6, 2.2] {
            for ceiling in stride(from: 12_000, through: 99_000, by: 3000) {
                for expected in [100_600, 70_000, 140_000] {
                    let found = Self.search(
                        under: ceiling, slope: slope,
                        expected: .init(quality: 80, length: ByteCount(expected)))
                    #expect(found.rounds <= LengthSearch.mostTrials)
                    let longest = (10...80).map { Self.length($0, slope: slope) }
                        .last { $0.bytes <= ceiling }
                    #expect((found.best == nil) == (longest == nil), "\(slope) \(ceiling)")
                    guard let best = found.best, let longest else { continue }
                    #expect(best.length.bytes <= ceiling)
                    #expect(
                        Double(best.length.bytes) >= 0.965 * Double(longest.bytes),
                        "\(slope) \(ceiling) \(expected): \(best), \(longest)")
                }
            }
        }
    }

    @Test("A typical picture takes one encoding, or two")
    func rounds() {
        let usual = LengthSearch.Trial(quality: 80, length: Self.length(80, slope: 0.63))
        for ceiling in [20_000, 40_000, 80_000] {
            #expect(Self.search(under: ceiling, slope: 0.63, expected: usual).rounds <= 2)
        }
    }

    @Test("The highest quality is taken where all are under the ceiling, and none where none is")
    func bounds() {
        let expected = LengthSearch.Trial(quality: 60, length: ByteCount(50_000))
        let all = Self.search(under: 1_000_000, slope: 0.63, expected: expected)
        #expect(all.best?.quality == 80)
        #expect(Self.search(under: 700, slope: 0.63, expected: expected).best == nil)
    }
}
