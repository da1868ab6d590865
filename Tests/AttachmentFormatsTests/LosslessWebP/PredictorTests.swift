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
}
