import AttachmentContainer
import AttachmentModel
import AttachmentPlanning
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Resizing", .timeLimit(.minutes(2)))
struct ResizeTests {
    /// Pseudo-random sizes and targets over the whole range of reductions, the same in every run.
    private static let cases: [(PixelSize, PixelSize)] = {
        var state: UInt64 = 7
        func random(_ range: ClosedRange<Int>) -> Int {
            // Knuth's MMIX constants.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return range.lowerBound + Int(state >> 33) % range.count
        }
        return (0..<20).map { _ in
            let size = PixelSize(width: random(1...600), height: random(1...600))
            let divisor = Double(random(10...200)) / 10
            let target = PixelSize(
                width: max(1, Int(Double(size.width) / divisor)),
                height: max(1, Int(Double(size.height) / divisor)))
            return (size, target)
        }
    }()

    /// Bands with a pattern along both sides, so that a misplaced row shows.
    private func picture(_ size: PixelSize, bands: Int) throws -> VipsImage {
        let samples = (0..<size.pixelCount).flatMap { pixel -> [UInt8] in
            let (x, y) = (pixel % size.width, pixel / size.width)
            return (0..<bands).map {
                UInt8(truncatingIfNeeded: x * 3 + y * 5 + $0 * 70 + x * y / 64)
            }
        }
        return try VipsImage.from(samples: samples, size: size, bands: bands)
            .applying("copy", ["interpretation": .name(bands < 3 ? "b-w" : "srgb")])
    }

    @Test("A stream of rows and a held picture give the same result", arguments: [1, 3, 4])
    func streamed(bands: Int) async throws {
        try await ProcessorFixture.with { fixture in
            for (size, target) in Self.cases {
                let held = try picture(size, bands: bands)
                try held.write(to: fixture.url("in.png"), with: "pngsave_target")
                for box in [Planner.box(from: size, to: target), PixelSize(width: 1, height: 1)] {
                    let file = try AttachmentFile(path: fixture.url("in.png").path)
                    let stream = try VipsImage.open(
                        VipsInput(descriptor: file.descriptor), with: .png,
                        ["fail_on": .name("error")])
                    let streamed = try resize(stream, to: target, box: box, isLinear: false)
                        .inMemory()
                    #expect(streamed.size == target, "\(size)")
                    let difference = try streamed.largestDifference(
                        from: resize(held, to: target, box: box, isLinear: false))
                    #expect(difference == 0, "\(size) to \(target), \(box)")
                }
            }
        }
    }
}
