import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

/// Reductions for which the resampler averages boxes of pixels first.
@Suite("Large reductions", .timeLimit(.minutes(3)))
struct LargeReductionTests {
    @Test(
        "PNGs of every depth agree with libvips",
        arguments: ["srgb", "rgb16", "b-w", "grey16"], [false, true])
    func png(space: String, hasAlpha: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: 1801, height: 1203)
            let opaque = try VipsFixture.waves(size)
            let alpha = try opaque.applying("extract_band", ["band": .int(1)])
            let picture = try hasAlpha ? opaque.joined(with: alpha) : opaque
            try picture.applying("colourspace", ["space": .name(space)])
                .write(to: fixture.url("in.png"), with: "pngsave_target")
            try await fixture.compareEngines("in.png", least: 40) {
                ($0.width, $0.scale, $0.bannerSide) = (180, 1, 64)
            }
        }
    }

    @Test(
        "JPEGs that libjpeg reduces to an eighth before agree with libvips",
        arguments: ["1x1", "2x1", "1x2", "2x2"], [Orientation.upright, .mirrored, .rotated180])
    func jpeg(sampling: String, orientation: Orientation) async throws {
        try await ProcessorFixture.with { fixture in
            let each = JPEGCase(
                size: PixelSize(width: 2805, height: 1867), sampling: sampling,
                orientation: orientation, width: 39)
            try each.write(VipsFixture.gradient(each.size), to: fixture.url("in.jpg"))
            try await fixture.compareEngines("in.jpg", least: 40) { each.apply(to: &$0) }
        }
    }

    @Test("A single row or column is reduced to a line", arguments: [(60_000, 1), (3, 60_000)])
    func lines(width: Int, height: Int) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: width, height: height))
                .write(to: fixture.url("in.png"), with: "pngsave_target")
            try await fixture.compareEngines("in.png", least: 40) {
                ($0.width, $0.scale) = (1000, 1)
            }
        }
    }
}
