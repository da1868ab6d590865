import AttachmentContainer
import AttachmentModel
import Testing

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("Workers with a second thread")
    struct SecondThreadTests {
        @Test(
            "A second thread changes no byte, and the peak stays below the prediction",
            arguments: [
                "lake-baseline.jpg", "dunes-grey.jpg", "gerbera-display-p3.jpg",
                "peak-orientation-6.jpg", "ridges-progressive.jpg", "grid.heic",
                "grid-orientation-6.heic", "grid.avif", "meadow-lossy.webp", "still-life.png",
                "aurora.avif", "lake-evening.heic", "alpha.webp", "restarts-lake-baseline.jpg",
                "restarts-dunes-grey.jpg", "restarts-dunes-cmyk.jpg",
                "restarts-gerbera-display-p3.jpg", "restarts-peak-orientation-6.jpg",
            ], Enforcement.available)
        func secondThread(name: String, enforcement: Enforcement) async throws {
            var made: [ProcessedAttachment] = []
            for threads in [DecodingThreads.one, .two] {
                try await PoolFixture.with { fixture in
                    let path =
                        try fixture.grid(name) ?? fixture.lossyAlpha(name)
                        ?? fixture.restarts(name)
                        ?? PoolFixture.sample(name)
                    try await fixture.withPool(
                        cap: MemoryCap(.mebibytes(12)), by: enforcement, threads: threads
                    ) { pool in
                        made.append(try await pool.process(path, identifier: name))
                        #expect(pool.statistics.lost == 0)
                    }
                }
            }
            #expect(made[0].manifest.renditions == made[1].manifest.renditions)
            #expect(made[0].manifest.rung == made[1].manifest.rung)
            for each in made {
                let predicted = try #require(each.memory.predictedPeak)
                #expect(each.memory.measuredPeak <= predicted)
            }
            // Both are of workers that have just started. The memory of a second tile, and of a second
            // decoder with its groups, is predicted too.
            guard name.hasPrefix("grid") || name == "restarts-lake-baseline.jpg" else { return }
            let predicted = made.compactMap(\.memory.predictedPeak)
            #expect(predicted.count == 2 && predicted[1].bytes > predicted[0].bytes + 500_000)
        }
    }
}
