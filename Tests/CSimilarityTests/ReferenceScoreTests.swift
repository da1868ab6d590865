import CSimilarity
import Testing

@Suite("Scores of SSIMULACRA2", .timeLimit(.minutes(1)))
struct ReferenceScoreTests {
    /// Scores of the Python package ssimulacra2 0.3.0, as `write_scores.py` prints them.
    private static let cases: [(width: Int, height: Int, loss: Loss, score: Double)] = [
        (8, 8, .coarse, 96.4384),
        (8, 8, .noisy, 98.5787),
        (8, 8, .shifted, 79.8906),
        (8, 8, .blocks, 75.9346),
        (9, 17, .coarse, 95.0480),
        (9, 17, .noisy, 98.4241),
        (9, 17, .shifted, 81.6306),
        (9, 17, .blocks, 81.7198),
        (16, 15, .coarse, 91.9072),
        (16, 15, .noisy, 92.9522),
        (16, 15, .shifted, 61.7095),
        (16, 15, .blocks, 66.4573),
        (33, 65, .coarse, 79.6839),
        (33, 65, .noisy, 91.8836),
        (33, 65, .shifted, 34.5186),
        (33, 65, .blocks, -7.5602),
        (100, 64, .coarse, 17.0585),
        (100, 64, .noisy, 92.0669),
        (100, 64, .shifted, -63.0213),
        (100, 64, .blocks, -65.4417),
        (257, 190, .coarse, 55.6473),
        (257, 190, .noisy, 79.8626),
        (257, 190, .shifted, -3.0208),
        (257, 190, .blocks, -41.3192),
        (320, 240, .coarse, 66.3866),
        (320, 240, .noisy, 67.1868),
        (320, 240, .shifted, -49.5873),
        (320, 240, .blocks, -62.3491),
    ]

    @Test("Scores are within 0.005 of the published package's")
    func reference() throws {
        for (width, height, loss, expected) in Self.cases {
            let picture = SampleRows(width, height)
            let score = try picture.score(picture.distorted(by: loss))
            #expect(abs(score - expected) < 0.005, "\(width) × \(height), \(loss)")
        }
    }

    @Test("Equal pictures score 100", arguments: [(1, 1), (7, 300), (8, 8), (131, 67), (256, 256)])
    func equal(width: Int, height: Int) throws {
        let picture = SampleRows(width, height)
        #expect(try picture.score(picture) == 100)
    }

    @Test("The code of every processor gives the score of the best code, to the last bit")
    func vectors() throws {
        for (width, height, loss, _) in Self.cases {
            let picture = SampleRows(width, height)
            let other = picture.distorted(by: loss)
            let baseline = try picture.score(other, THIMBLE_SIMILARITY_BASELINE)
            #expect(try picture.score(other) == baseline, "\(width) × \(height), \(loss)")
        }
    }

    @Test("A comparison that begins again forgets the pictures before")
    func restart() throws {
        let picture = SampleRows(133, 77)
        let similarity = try #require(
            thimble_similarity_new(133, 77, THIMBLE_SIMILARITY_BEST))
        defer { thimble_similarity_free(similarity) }
        // Ends in the middle of a picture.
        let (first, last) = (picture.distorted(by: .blocks), picture.distorted(by: .noisy))
        for y in 0..<40 { thimble_similarity_push(similarity, picture.row(y), first.row(y)) }
        #expect(thimble_similarity_score(similarity).isNaN)
        thimble_similarity_restart(similarity)
        for y in 0..<77 { thimble_similarity_push(similarity, picture.row(y), last.row(y)) }
        let score = thimble_similarity_score(similarity)
        #expect(try score == picture.score(last))
        // Rows beyond the height change nothing.
        thimble_similarity_push(similarity, picture.row(0), first.row(0))
        #expect(thimble_similarity_score(similarity) == score)
    }

    @Test("Memory depends on the width alone, and is below 0.5 MB at 1320 pixels")
    func memory() {
        let bytes = thimble_similarity_bytes(1320, 990)
        #expect(400_000..<500_000 ~= bytes)
        #expect(thimble_similarity_bytes(1320, 9900) == bytes)
    }

    @Test("Sizes without pixels, and too large ones, are refused", arguments: [0, -1, 16_385])
    func sizes(side: CInt) {
        #expect(thimble_similarity_bytes(side, 8) == 0)
        #expect(thimble_similarity_bytes(8, side) == 0)
        #expect(thimble_similarity_new(side, 8, THIMBLE_SIMILARITY_BEST) == nil)
    }
}
