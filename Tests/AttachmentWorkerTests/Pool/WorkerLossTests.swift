import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentWorker

/// Serialized, because workers are counted by process.
@Suite("Pools of workers", .serialized, .timeLimit(.minutes(5)))
enum PoolSuites {}

extension PoolSuites {
    @Suite("Lost workers")
    struct WorkerLossTests {
        /// Checks that the next attachment succeeds.
        ///
        /// Pools with a short timeout get several attempts, because a start may take longer than
        /// the timeout under load.
        private func expectRecovery(_ pool: WorkerPool) async throws {
            var turns = pool.timeout < .seconds(5) ? 20 : 1
            while turns > 0 {
                turns -= 1
                do throws(AttachmentError) {
                    let done = try await pool.process(
                        PoolFixture.sample("still-life.png"), identifier: "next")
                    #expect(done.work == .made)
                    return
                } catch {
                    guard turns > 0, error.code == .late else { throw error }
                }
            }
        }

        @Test(
            "A damaged picture is reported as such without losing a worker",
            arguments: Enforcement.available)
        func damaged(enforcement: Enforcement) async throws {
            try await PoolFixture.with { fixture in
                // Small enough to be decoded at once, so that the error comes from the library.
                let picture = URL(filePath: try fixture.picture(400, 300))
                var bytes = try Data(contentsOf: picture)
                for place in bytes.count / 2..<bytes.count / 2 + 3 { bytes[place] ^= 0x5A }
                try bytes.write(to: picture)
                try await fixture.withPool(by: enforcement) { pool in
                    let error = await fixture.error(of: pool, picture.path)
                    #expect(error?.code == .corrupt, "\(error?.detailedDescription ?? "none")")
                    #expect(pool.statistics.lost == 0)
                }
            }
        }

        @Test(
            "A prediction that is too low costs the worker and one rung",
            arguments: Enforcement.available)
        func overCap(enforcement: Enforcement) async throws {
            try await PoolFixture.with { fixture in
                // 64 megapixels, decoded in full, with a prediction that is too low.
                let picture = try fixture.picture(8000, 8000, interlaced: true)
                try await fixture.withPool(
                    cap: MemoryCap(.mebibytes(24)), by: enforcement,
                    planningFor: MemoryCap(.mebibytes(4096)), decoder: .library
                ) { pool in
                    do throws(AttachmentError) {
                        let done = try await pool.process(picture, identifier: "id")
                        // The result must come from a lower rung.
                        #expect(done.manifest.rung != Rung.streamed.rawValue)
                    } catch {
                        #expect(error.code == .killed, "\(error.detailedDescription)")
                        #expect(error.reason.contains("24 MiB"))
                        #expect(error.reason.contains("predicted to peak at"))
                    }
                    #expect(pool.statistics.lost >= 1)
                    #expect(try fixture.unfinished.isEmpty)
                    try await expectRecovery(pool)
                }
            }
        }

        @Test("Memory denied by RLIMIT_DATA is not reported as a crash")
        func refusedMemory() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(
                    cap: MemoryCap(.mebibytes(12)), by: .rlimit,
                    planningFor: MemoryCap(.mebibytes(4096)), decoder: .library
                ) { pool in
                    for name in [
                        "lake-evening.heic", "aurora.avif", "meadow-lossy.webp",
                        "bubbles-lossless.webp", "ridges-progressive.jpg", "ridges-interlaced.png",
                        "meadow.tiff", "dunes-cmyk.jpg", "aurora-animated.webp",
                    ] {
                        let error = await fixture.error(of: pool, PoolFixture.sample(name))
                        // Some succeed on a lower rung.
                        #expect(
                            error == nil || error?.code == .killed,
                            "\(error?.detailedDescription ?? "none")")
                        if let error { #expect(error.detail.contains("out of memory: ")) }
                    }
                    #expect(pool.statistics.lost > 5)
                }
            }
        }

        @Test("A worker whose decoder wanted too much is replaced, and the picture refused")
        func decoder() async throws {
            try await PoolFixture.with { fixture in
                let program = try fixture.fakeWorker(
                    "send(ready)\nreceive()\nsend(started('bounded'))\nos._exit(65)")
                try await fixture.withPool(executable: program) { pool in
                    let error = await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    #expect(error?.code == .decoderLimit)
                    #expect(pool.statistics.lost == 0 && pool.statistics.started == 1)
                }
            }
        }

        @Test(
            "A busy worker killed from outside is replaced, and the error describes the exit",
            arguments: [(SIGKILL, AttachmentError.Code.killed), (SIGSEGV, .crashed)])
        func signals(signal: Int32, code: AttachmentError.Code) async throws {
            try await PoolFixture.with { fixture in
                let program = try fixture.fakeWorker(
                    """
                    send(ready)
                    _, below, *_ = receive()
                    if below != "reduced":
                        send(started("reduced" if below else "streamed"))
                        os.kill(os.getpid(), \(signal))
                    send(failed)
                    """)
                try await fixture.withPool(executable: program) { pool in
                    let error = await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    // It was tried on each lower rung, and the last worker answered.
                    #expect(error?.code == .corrupt, "\(error?.detailedDescription ?? "none")")
                    #expect(pool.statistics.lost == 2 && pool.statistics.started == 3)
                }
                let last = try fixture.fakeWorker(
                    """
                    send(ready)
                    receive()
                    send(started("preview"))
                    os.kill(os.getpid(), \(signal))
                    """)
                try await fixture.withPool(executable: last) { pool in
                    let error = await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    #expect(error?.code == code, "\(error?.detailedDescription ?? "none")")
                    #expect(error?.reason.contains("on the rung preview") == true)
                }
            }
        }

        @Test("The timeout applies to all rungs together")
        func late() async throws {
            try await PoolFixture.with { fixture in
                let program = try fixture.fakeWorker(
                    """
                    send(ready)
                    receive()
                    send(started("streamed"))
                    time.sleep(600)
                    """)
                try await fixture.withPool(timeout: .seconds(2), executable: program) { pool in
                    try await PoolFixture.warmUp(pool)
                    let before = pool.statistics
                    let error = await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    #expect(error?.code == .late)
                    #expect(
                        error?.reason.contains(
                            "more than 2 s; its worker was killed on the rung streamed") == true)
                    // No lower rung is tried.
                    #expect(pool.statistics.lost == before.lost + 1)
                    #expect(pool.statistics.started == before.started)
                }
            }
        }

        @Test("Each worker receives the remaining time")
        func timeLeft() async throws {
            try await PoolFixture.with { fixture in
                let program = try fixture.fakeWorker(
                    """
                    send(ready)
                    _, below, remaining, *_ = receive()
                    with open(here + "/times", "a") as file:
                        print(*remaining, file=file)
                    time.sleep(0.01)
                    if below: send(failed)
                    send(started("streamed"))
                    """)
                try await fixture.withPool(timeout: .seconds(60), executable: program) { pool in
                    let error = await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    #expect(error?.code == .corrupt)
                    let lines = try String(
                        contentsOf: fixture.folder.appending(path: "times"), encoding: .utf8
                    ).split(separator: "\n")
                    let times = lines.compactMap { line -> Duration? in
                        // A coded duration has two numbers, the second in attoseconds.
                        let words = line.split(separator: " ")
                        guard words.count == 2, let high = Int64(words[0]),
                            let low = UInt64(words[1])
                        else { return nil }
                        return Duration(_high: high, low: low)
                    }
                    try #require(times.count == 2)
                    #expect(times[0] <= .seconds(60))
                    #expect(times[1] <= times[0] - .milliseconds(10))
                }
            }
        }

        @Test("A hung worker counts as late")
        func hung() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(timeout: .seconds(2)) { pool in
                    try await PoolFixture.warmUp(pool)
                    let lost = pool.statistics.lost
                    let workers = PoolFixture.workers
                    try #require(workers.count == 1)
                    for worker in workers { kill(worker, SIGSTOP) }
                    let error = await fixture.error(
                        of: pool, PoolFixture.sample("lake-baseline.jpg"))
                    // It had not reported a rung, so there is no lower one to try.
                    #expect(error?.code == .late && pool.statistics.lost == lost + 1)
                    try await expectRecovery(pool)
                }
            }
        }

        @Test("The deadline ends both work in progress and waiting for a worker")
        func deadline() async throws {
            try await PoolFixture.with { fixture in
                let picture = PoolFixture.sample("lake-baseline.jpg")
                try await fixture.withPool { pool in
                    try await pool.warmUp()
                    let workers = PoolFixture.workers
                    try #require(workers.count == 1)
                    for worker in workers { kill(worker, SIGSTOP) }
                    let deadline = ContinuousClock.now + .milliseconds(300)
                    async let first = fixture.error(of: pool, picture, deadline: deadline)
                    async let second = fixture.error(of: pool, picture, deadline: deadline)
                    for error in await [first, second] {
                        #expect(error?.code == .late)
                        // The timeout is much later.
                        #expect(error?.reason.contains("deadline") == true)
                    }
                    #expect(try fixture.unfinished.isEmpty)
                    try await expectRecovery(pool)
                }
            }
        }

        @Test("A worker killed while writing leaves no named file")
        func unfinished() async throws {
            try await PoolFixture.with { fixture in
                let program = try fixture.fakeWorker(
                    """
                    send(ready)
                    receive()
                    os.write(files[-1], b"half a rendition")
                    open(here + "/writing", "w").close()
                    time.sleep(600)
                    """)
                let writing = fixture.folder.appending(path: "writing").path
                try await fixture.withPool(executable: program) { pool in
                    let task = Task {
                        await fixture.error(of: pool, PoolFixture.sample("still-life.png"))
                    }
                    try await PoolFixture.wait { FileManager.default.fileExists(atPath: writing) }
                    #expect(try fixture.unfinished.isEmpty)
                    task.cancel()
                    #expect(await task.value?.code == .cancelled)
                    #expect(try fixture.unfinished.isEmpty)
                }
            }
        }

        @Test("Cancelling the task kills the worker and is not counted as a loss")
        func cancelled() async throws {
            try await PoolFixture.with { fixture in
                let asked = fixture.folder.appending(path: "asked").path
                let program = try fixture.fakeWorker(
                    """
                    send(ready)
                    receive()
                    if os.path.exists(here + "/asked"):
                        send(failed)
                    else:
                        open(here + "/asked", "w").close()
                    time.sleep(600)
                    """)
                try await fixture.withPool(executable: program) { pool in
                    let picture = PoolFixture.sample("still-life.png")
                    let task = Task { await fixture.error(of: pool, picture) }
                    try await PoolFixture.wait { FileManager.default.fileExists(atPath: asked) }
                    task.cancel()
                    // Not `late`: the timeout of a minute has not passed.
                    #expect(await task.value?.code == .cancelled)
                    #expect(pool.statistics.lost == 0)
                    #expect(PoolFixture.workers.isEmpty)
                    #expect(await fixture.error(of: pool, picture)?.code == .corrupt)
                }
            }
        }
    }
}
