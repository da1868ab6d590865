import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import Testing

@testable import AttachmentPipeline

/// Coefficients handed to libjpeg, against the same ones in a sequential file that libjpeg reads.
@Suite("Coefficients for libjpeg", .timeLimit(.minutes(5)))
struct JPEGCoefficientsTests {
    @Test(
        "Samples are those of the sequential file, at every scale",
        arguments: ["1x1", "2x1", "1x2", "2x2", "4x1", "4x2", "grey"], [1, 2, 4, 8])
    func intact(sampling: String, shrink: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let bytes = try fixture.progressive(sampling, quality: 90)
            let outcome = try fixture.outcome(bytes, shrink, isTolerant: false, byFile: false)
            #expect(outcome.fault == nil && outcome.rows[0]?.isEmpty == false)
            try #expect(
                outcome == fixture.outcome(bytes, shrink, isTolerant: false, byFile: true))
        }
    }

    @Test("Damage ends as in the sequential file", arguments: ["1x1", "2x2", "grey"], [1, 8])
    func damaged(sampling: String, shrink: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let intact = try fixture.progressive(sampling, quality: 60)
            var random = SplitMix64(seed: 9)
            var faults = 0
            for number in 0..<30 {
                var bytes = intact
                let place = bytes.count / 6 + random.below(bytes.count * 5 / 6)
                bytes[place] ^= 1 << UInt8(random.below(8))
                if number % 3 == 0 { bytes = bytes.prefix(place) }
                for isTolerant in [false, true] {
                    let outcome = try fixture.outcome(
                        bytes, shrink, isTolerant: isTolerant, byFile: false)
                    try #expect(
                        outcome.isLike(
                            fixture.outcome(bytes, shrink, isTolerant: isTolerant, byFile: true)),
                        "damage \(number) of \(sampling), tolerant: \(isTolerant)")
                    faults += outcome.fault == nil ? 0 : 1
                }
            }
            #expect((1..<60).contains(faults))
        }
    }
}

extension RowOutcome {
    /// True for the same samples, or the same kind of fault, which another reader meets at another row.
    fileprivate func isLike(_ other: RowOutcome) -> Bool {
        fault == nil && other.fault == nil ? self == other : fault?.code == other.fault?.code
    }
}

extension ProcessorFixture {
    fileprivate func progressive(_ sampling: String, quality: Int) throws -> Data {
        var each = JPEGCase(size: PixelSize(width: 203, height: 131), isProgressive: true)
        each.isGrey = sampling == "grey"
        if !each.isGrey { each.sampling = sampling }
        each.quality = quality
        try each.write(VipsFixture.waves(each.size), to: url("made.jpg"))
        return try Data(contentsOf: url("made.jpg"))
    }

    /// Rows by the coefficients, or by the sequential file.
    fileprivate func outcome(
        _ bytes: Data, _ shrink: Int, isTolerant: Bool, byFile: Bool
    ) throws -> RowOutcome {
        try bytes.write(to: url("in.jpg"))
        let file = try AttachmentFile(path: url("in.jpg").path)
        do throws(DecodingFault) {
            let coefficients =
                byFile
                ? nil
                : try JPEGCoefficients(
                    file.openFile, loadShrink: shrink, isTolerant: isTolerant)
            let simpler: any SimplerFile =
                if let coefficients { coefficients.header } else {
                    try ProgressiveJPEGStream(
                        file.openFile, loadShrink: shrink, isTolerant: isTolerant)
                }
            return RowOutcome(
                of: try JPEGPlaneRows(
                    ByteStream(file, simpler: simpler), coefficients, loadShrink: shrink,
                    keepsProfile: false, isTolerant ? .tolerant : .loss))
        } catch {
            return RowOutcome(fault: error)
        }
    }
}
