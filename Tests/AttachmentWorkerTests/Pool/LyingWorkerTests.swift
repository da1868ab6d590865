import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Foundation
import Testing
import WorkerProtocol

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("Workers that say what no worker says")
    struct LyingWorkerTests {
        private static let picture = PoolFixture.sample("still-life.png")

        @Test(
            "What has no place where the work stands ends the worker, and is the error",
            arguments: [
                ("say(ready); hear(); say(ready)", "out of turn"),
                ("say(ready); hear(); say(unable)", "out of turn"),
                ("say(started('streamed'))", "out of turn"),
                ("say(failed)", "out of turn"),
                ("say(ready); hear(); say(b'{')", "no message"),
            ])
        func outOfTurn(lines: String, reason: String) async throws {
            try await PoolFixture.with { fixture in
                let worker = try fixture.fakeWorker(lines + "; time.sleep(60)")
                try await fixture.withPool(timeout: .seconds(30), executable: worker) { pool in
                    let error = await fixture.error(of: pool, Self.picture)
                    #expect(error?.code == .crashed)
                    #expect(
                        error?.reason.contains("broke the protocol") == true
                            && error?.reason.contains(reason) == true,
                        "\(error?.detailedDescription ?? "none")")
                    #expect(pool.statistics.lost == 1)
                }
            }
        }

        @Test("One that speaks while it has nothing to do is replaced, and costs nothing")
        func idle() async throws {
            try await PoolFixture.with { fixture in
                // Only the first lies.
                let worker = try fixture.fakeWorker(
                    """
                    say(ready)
                    if not os.path.exists(here + "/lied"):
                        open(here + "/lied", "w").close()
                        say(failed)
                    hear()
                    say(failed)
                    hear()
                    """)
                try await fixture.withPool(executable: worker) { pool in
                    try await pool.warmUp()
                    try await PoolFixture.wait { PoolFixture.workers.isEmpty }
                    #expect(await fixture.error(of: pool, Self.picture)?.code == .corrupt)
                    #expect(pool.statistics.started == 2 && pool.statistics.lost == 0)
                }
            }
        }

        @Test(
            "An attachment is tried again at most once for each rung, whatever a worker names",
            arguments: [
                ("rungs[0]", 2),
                // The next below the one that was lost, and after the last the first again.
                ("after(below)", Plan.Rung.allCases.count + 1),
            ])
        func rungs(choice: String, losses: Int) async throws {
            try await PoolFixture.with { fixture in
                let worker = try fixture.fakeWorker(
                    """
                    rungs = \(Plan.Rung.allCases.map(\.rawValue))
                    after = lambda rung: rungs[(rungs.index(rung) + 1 if rung else 0) % len(rungs)]
                    say(ready)
                    below = hear()["request"]["_0"].get("below")
                    say(started(\(choice)), b"{")
                    time.sleep(60)
                    """)
                try await fixture.withPool(executable: worker) { pool in
                    let error = await fixture.error(
                        of: pool, Self.picture, deadline: .now + .seconds(30))
                    #expect(error?.code == .crashed, "\(error?.detailedDescription ?? "none")")
                    #expect(pool.statistics.lost == losses)
                }
            }
        }

        @Test("Numbers that no attachment has end the worker, and are handed to nobody")
        func numbers() async throws {
            try await PoolFixture.with { fixture in
                let worker = try fixture.fakeWorker(
                    """
                    say(ready)
                    hear()
                    say(open(here + "/done", "rb").read())
                    time.sleep(60)
                    """)
                let absurd = [
                    try Self.done(created: Date(timeIntervalSince1970: 1e300)),
                    try Self.done(created: Date(timeIntervalSince1970: -1e300)),
                    try Self.done(size: PixelSize(width: -1, height: 1)),
                    try Self.done(size: PixelSize(width: 1, height: 1 << 60)),
                    try Self.done(frames: -1), try Self.done(framesUsed: .min),
                ]
                try await fixture.withPool(executable: worker) { pool in
                    let body = fixture.folder.appending(path: "done")
                    for message in absurd {
                        try JSONEncoder().encode(message).write(to: body)
                        let error = await fixture.error(of: pool, Self.picture)
                        #expect(error?.code == .crashed)
                        #expect(error?.reason.contains("numbers") == true, "\(message)")
                    }
                    try JSONEncoder().encode(Self.done()).write(to: body)
                    #expect(await fixture.error(of: pool, Self.picture) == nil)
                }
            }
        }
    }
}

extension PoolSuites.LyingWorkerTests {
    /// An answer that a worker could give.
    private static func done(
        created: Date = Date(), size: PixelSize = PixelSize(width: 2, height: 1),
        frames: Int? = 1, framesUsed: Int = 1
    ) throws -> WorkerMessage {
        let manifest = Manifest(
            identifier: "id", created: created,
            source: Manifest.Source(
                format: "png", coding: "sequential", size: size, bytes: ByteCount(1),
                sha256: ContentDigest(of: "file"), frames: frames, framesUsed: framesUsed),
            settings: "5e77", renditions: [], contentSizeRatio: 0.5,
            placeholder: try #require(ThumbHash(width: 1, height: 1, rgba: [9, 9, 9, 255])),
            averageColour: Colour(red: 9, green: 9, blue: 9), rung: Plan.Rung.streamed.rawValue)
        return .done(
            ProcessedAttachment(
                manifest: manifest, work: .made,
                memory: MemoryUse(
                    baseline: ByteCount(1), predictedPeak: nil, measuredPeak: ByteCount(1))))
    }
}
