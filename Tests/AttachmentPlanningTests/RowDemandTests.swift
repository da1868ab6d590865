import AttachmentContainer
import AttachmentPlanning
import CResampler
import Randomness
import Testing

@Suite("Demand of the engine of rows", .timeLimit(.minutes(1)))
struct RowDemandTests {
    @Test("The resampler takes what is declared, and not much less")
    func resampler() {
        var random = SplitMix64(seed: 1)
        var count = 0
        for _ in 0..<5000 {
            let (columns, rows) = (Self.axis(&random), Self.axis(&random))
            let (bands, sampleBytes) = (1 + random.below(4), 1 + random.below(2))
            var description = thimble_resampling(
                columns: columns, rows: rows, bands: CInt(bands),
                sample_bytes: CInt(sampleBytes), has_alpha: bands % 2 == 0)
            let taken = Double(thimble_resampler_bytes(&description))
            guard taken > 0 else { continue }
            let declared = ResamplerDemand.bytes(
                columns: Double(columns.source), target: Double(columns.target),
                rows: Double(rows.source), step: max(columns.step, rows.step), bands: Double(bands),
                sampleBytes: bands % 2 == 0 ? 2 : Double(sampleBytes))
            // The row that is written has as many bytes as samples.
            #expect(taken + Double(Int(columns.target) * bands) <= declared)
            // Both sides of a picture are reduced alike.
            guard (0.9...1.1).contains(columns.step / rows.step) else { continue }
            count += 1
            #expect(declared <= 1.7 * taken + 40_000)
        }
        #expect(count > 100)
    }

    @Test("The largest planned reduction is within the resampler's limit, with chroma halved")
    func limit() {
        #expect(2 * Planner.largestRowReduction <= thimble_resampler_largest_step)
    }

    private static func axis(_ random: inout SplitMix64) -> thimble_axis {
        let source = 1 + random.below(12_000)
        let target = max(1, min(source, 1 + random.below(2000)))
        return thimble_axis(
            source: CInt(source), target: CInt(target), origin: 0,
            step: Double(source) / Double(target), box: 1)
    }
}
