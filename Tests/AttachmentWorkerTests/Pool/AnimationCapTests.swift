import AnimationReference
import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@testable import AttachmentWorker

@Suite("Animations under small caps", .serialized, .timeLimit(.minutes(5)))
struct AnimationCapTests {
    @Test(
        "Every format stays animated, by rows, with all frames and the predicted peak",
        arguments: [6_500_000, 8_388_608, 12_582_912])
    func formats(bytes: Int) async throws {
        let film = try #require(ReferenceAnimations.all.first { $0.description == "film.webp" })
        let paths = ["gif", "png", "webp"].map { PoolFixture.sample("aurora-animated.\($0)") }
        // The workers of tests load the Swift runtime from libraries, which takes memory that those
        // that ship do not need: at 6 MiB the animated WebP lacks 5 kB.
        let cap = MemoryCap(ByteCount(bytes))
        for path in paths + [film.path] {
            // A worker each: one that has served has less memory left.
            try await PoolFixture.with { fixture in
                try await fixture.withPool(cap: cap) { pool in
                    let manifest = try await pool.process(path, identifier: path).manifest
                    #expect(
                        manifest.rung == "animated" && manifest.engine == "rows",
                        "\(path): \(manifest.rung), \(manifest.notes), \(pool.statistics)")
                    let moving = try #require(manifest.rendition(.attachment), "\(path)")
                    #expect(moving.frames == manifest.source.frames)
                    let predicted = try #require(manifest.predictedPeak)
                    let measured = try #require(manifest.measuredPeak)
                    #expect(measured <= predicted && predicted <= cap.footprint, "\(path)")
                    #expect(pool.statistics.started == 1 && pool.statistics.lost == 0)
                }
            }
        }
    }
}
