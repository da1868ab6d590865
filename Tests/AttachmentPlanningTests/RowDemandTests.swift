import AttachmentContainer
import AttachmentPlanning
import CJPEGEncoder
import CResampler
import CSimilarity
import Foundation
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
            let isLinear = random.below(2) == 0
            var description = thimble_resampling(
                columns: columns, rows: rows, bands: CInt(bands),
                sample_bytes: CInt(sampleBytes), has_alpha: bands % 2 == 0,
                is_linear: isLinear)
            let taken = Double(thimble_resampler_bytes(&description))
            guard taken > 0 else { continue }
            let declared = ResamplerDemand.bytes(
                columns: Double(columns.source), target: Double(columns.target),
                rows: Double(rows.source), step: max(columns.step, rows.step), bands: Double(bands),
                sampleBytes: bands % 2 == 0 ? 2 : Double(sampleBytes), isLinear: isLinear)
            // The row that is written has as many bytes as samples.
            #expect(taken + Double(Int(columns.target) * bands) <= declared)
            // Both sides of a picture are reduced alike.
            guard (0.9...1.1).contains(columns.step / rows.step) else { continue }
            count += 1
            #expect(declared <= 1.7 * taken + 40_000)
        }
        #expect(count > 100)
    }

    @Test("With boxes the resampler takes what is declared, at any reduction")
    func boxes() {
        var random = SplitMix64(seed: 2)
        var count = 0
        for _ in 0..<5000 {
            let smallest = ResamplerBoxes.smallestReduction
            let step = smallest * pow(1000, Double(random.below(1000)) / 1000)
            let (across, down) = (1 + random.below(1500), 1 + random.below(1500))
            let (bands, sampleBytes) = (1 + random.below(4), 1 + random.below(2))
            let isLinear = random.below(2) == 0
            let (columns, rows) = (Self.boxed(across, by: step), Self.boxed(down, by: step))
            var description = thimble_resampling(
                columns: columns, rows: rows, bands: CInt(bands),
                sample_bytes: CInt(sampleBytes), has_alpha: bands % 2 == 0,
                is_linear: isLinear)
            let taken = Double(thimble_resampler_bytes(&description))
            #expect(taken > 0)
            let bytes = bands % 2 == 0 ? 2 : Double(sampleBytes)
            let demand = { (step: Double) in
                ResamplerDemand.bytes(
                    columns: step * Double(across), target: Double(across),
                    rows: step * Double(down), step: step, bands: Double(bands),
                    sampleBytes: bytes, boxedFrom: smallest, isLinear: isLinear)
            }
            let declared = demand(step)
            #expect(taken + Double(across * bands) <= declared)
            #expect(declared <= demand(step * 1.1))
            guard down > 50 else { continue }
            count += 1
            // The largest kernel without boxes holds more rows than any with them.
            #expect(declared <= (bytes == 2 || isLinear ? 4.5 : 3) * taken + 40_000)
        }
        #expect(count > 1000)
    }

    @Test("A score takes what is declared, and not much less")
    func score() {
        for columns in 1...4000 {
            let declared = ScoreDemand.comparison(columns: Double(columns))
            for rows: CInt in [8, 20, 40, 80, 200, 500] {
                let taken = Double(thimble_similarity_bytes(CInt(columns), rows))
                #expect(taken <= declared, "\(columns) × \(rows)")
            }
            let usual = Double(thimble_similarity_bytes(CInt(columns), 500))
            #expect(declared <= 1.5 * usual + 40_000, "\(columns)")
        }
        #expect(ScoreDemand.bytes(columns: 1320) < 900_000)
    }

    @Test("The encoder of JPEGs takes what is declared, and not much less")
    func encoder() {
        let layouts = [
            THIMBLE_JPEG_LAYOUT_GREY, THIMBLE_JPEG_LAYOUT_RGB_444, THIMBLE_JPEG_LAYOUT_RGB_420,
            THIMBLE_JPEG_LAYOUT_YCBCR_420,
        ]
        for columns in Array(1...200) + Array(stride(from: 240, through: 4096, by: 32)) {
            let declared = JPEGEncoderDemand.bytes(columns: Double(columns))
            var most = 0.0
            for layout in layouts {
                for rows: CInt in [1, 100, 4096] {
                    var settings = thimble_jpeg_settings()
                    (settings.width, settings.height) = (CInt(columns), rows)
                    settings.layout = layout
                    most = max(most, Double(thimble_jpeg_encoder_bytes(&settings)))
                }
            }
            #expect(most <= declared && declared <= 1.5 * most + 40_000, "\(columns)")
        }
    }

    @Test("Boxes leave a reduction within the bounds of the kernel")
    func kernelReduction() {
        for exponent in 0..<2000 {
            let step = ResamplerBoxes.smallestReduction * pow(1.005, Double(exponent))
            let left = step / Double(ResamplerBoxes.side(step: step))
            #expect((ResamplerBoxes.kernelReduction...5).contains(left))
        }
        #expect(ResamplerBoxes.side(step: 1e9) == 32_768)
        #expect(ResamplerBoxes.side(step: 0.1) == 1)
    }

    private static func boxed(_ target: Int, by step: Double) -> thimble_axis {
        let source = (Double(target) * step).rounded()
        let step = source / Double(target)
        return thimble_axis(
            source: CInt(source), target: CInt(target), origin: 0, step: step,
            box: CInt(ResamplerBoxes.side(step: step)))
    }

    private static func axis(_ random: inout SplitMix64) -> thimble_axis {
        let source = 1 + random.below(12_000)
        let target = max(1, min(source, 1 + random.below(2000)))
        return thimble_axis(
            source: CInt(source), target: CInt(target), origin: 0,
            step: Double(source) / Double(target), box: 1)
    }
}
