import CPredictors
import Randomness
import Testing

@Suite("Predictors")
struct PredictorTests {
    @Test("The predictor with vector instructions selects the same pixels", arguments: 0..<50)
    func vectors(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        // Few bits, so that distances are equal now and then.
        let mask = [UInt32.max, 0x0F0F_0F0F, 0x0101_0101][seed % 3]
        let above = (0...200).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) & mask }
        let residuals = above.map { _ in UInt32.random(in: 0...UInt32.max, using: &random) & mask }
        var (row, plain) = (residuals, residuals)
        thimble_add_selected(&row, above, 1, 201)
        thimble_add_selected_plain(&plain, above, 1, 201)
        #expect(row == plain)
        #expect(row != residuals)
    }

    @Test(
        "Left pixels are added channel by channel, from any column to any other", arguments: 1..<9)
    func left(first: Int) {
        var random = SplitMix64(seed: UInt64(first))
        for end in first...first + 19 {
            let residuals = (0..<40).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
            var (row, sums) = (residuals, residuals)
            thimble_add_left(&row, Int32(first), Int32(end))
            for x in first..<end {
                sums[x] = (0..<4).reduce(0) { pixel, channel in
                    let shift = 8 * UInt32(channel)
                    return pixel | ((sums[x] >> shift &+ sums[x - 1] >> shift) & 255) << shift
                }
            }
            #expect(row == sums)
        }
    }

    @Test("The gradient is clamped channel by channel", arguments: 0..<20)
    func gradient(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let above = (0...60).map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
        let residuals = above.map { _ in UInt32.random(in: 0...UInt32.max, using: &random) }
        var (row, expected) = (residuals, residuals)
        thimble_add_gradient(&row, above, 1, 61)
        for x in 1..<61 {
            expected[x] = (0..<4).reduce(0) { pixel, channel in
                func sample(_ pixel: UInt32) -> Int { Int(pixel >> (8 * UInt32(channel)) & 255) }
                let sum = sample(expected[x - 1]) + sample(above[x]) - sample(above[x - 1])
                let value = UInt32(sample(residuals[x]) + max(0, min(255, sum))) & 255
                return pixel | value << (8 * UInt32(channel))
            }
        }
        #expect(row == expected)
    }

    @Test(
        "A flat part is filled up to four pixels before the first that differs",
        arguments: [nil, 9, 17, 30], [nil, 8, 21])
    func flat(residual: Int?, neighbour: Int?) {
        let colour: UInt32 = 0x00FF_0000
        var (row, above) = (
            [UInt32](repeating: 0, count: 40), [UInt32](repeating: colour, count: 41)
        )
        row[0] = colour
        if let residual { row[residual] = 1 }
        if let neighbour { above[neighbour] = 7 }
        let before = row
        let filled = Int(thimble_fill_flat(&row, above, 1, 40))
        // A pixel needs the neighbour above it on the right as well.
        let end = min(residual ?? 40, (neighbour ?? 41) - 1)
        #expect(filled <= end && filled + 4 > end)
        #expect(row[..<filled].allSatisfy { $0 == colour })
        #expect(row[filled...] == before[filled...])
    }
}
