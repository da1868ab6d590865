import AnimationReference
import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentWorker

@Suite("Large animations under a real cap", .serialized, .timeLimit(.minutes(5)))
struct LargeAnimationTests {
    @Test("1080 × 1080 pixels, 120 frames of GIF and 60 of WebP, at 24 and at 12 MiB")
    func underTheCap() async throws {
        try await PoolFixture.with { files in
            _ = try Script.output("write_large_animations.py", [files.folder.path])
            for cap in [MemoryCap.serviceExtension, .legacyServiceExtension] {
                // A container each, to prevent reuse of results.
                try await PoolFixture.with { fixture in
                    for (name, frames) in [("large.gif", 120), ("large.webp", 60)] {
                        try await Self.check(
                            files.folder.appending(path: name).path, frames, cap, fixture)
                    }
                }
            }
        }
    }

    private static func check(
        _ path: String, _ frames: Int, _ cap: MemoryCap, _ fixture: PoolFixture
    ) async throws {
        try await fixture.withPool(cap: cap, timeout: .seconds(240)) { pool in
            let done = try await pool.process(path, identifier: path)
            let manifest = done.manifest
            #expect(done.work == .made && manifest.rung == "animated")
            let moving = try #require(manifest.rendition(.attachment))
            #expect(moving.frames == frames && moving.duration == 6)
            #expect(moving.decodedBytes.bytes <= 48 << 20 && moving.size.width > 300)
            let expanded = manifest.rendition(.expanded)
            #expect(expanded?.size == PixelSize(width: 1080, height: 1080))
            let predicted = try #require(manifest.predictedPeak).bytes
            let measured = try #require(manifest.measuredPeak).bytes
            #expect(measured <= predicted, "\(path) under \(cap)")
            #expect(measured <= cap.footprint.bytes, "\(path)")
            #expect(predicted <= 2 * measured + 2_000_000)
            #expect(pool.statistics.lost == 0)
        }
    }
}
