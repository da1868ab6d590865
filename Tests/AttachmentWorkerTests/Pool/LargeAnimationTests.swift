import AnimationReference
import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@testable import AttachmentWorker

@Suite("Large animations under a real cap", .serialized, .timeLimit(.minutes(5)))
struct LargeAnimationTests {
    @Test("1080 × 1080 pixels, 120 frames of GIF at 6 MiB and 60 of WebP at 24")
    func underTheCap() async throws {
        try await PoolFixture.with { files in
            _ = try Script.output("write_large_animations.py", [files.folder.path])
            for (name, frames, cap) in Self.conversions {
                // A container each, to prevent reuse of results.
                try await PoolFixture.with { fixture in
                    try await Self.check(
                        files.folder.appending(path: name).path, frames, cap, fixture)
                }
            }
        }
    }

    /// Each file under one of the caps, or under both if thorough.
    private static var conversions: [(name: String, frames: Int, cap: MemoryCap)] {
        let few = [
            ("large.gif", 120, MemoryCap(.mebibytes(6))),
            ("large.webp", 60, .serviceExtension),
        ]
        let others = [
            ("large.gif", 120, MemoryCap.legacyServiceExtension),
            ("large.webp", 60, .legacyServiceExtension),
        ]
        return Thoroughness.isFull ? few + others : few
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
