import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Foundation
import Testing

@testable import AttachmentWorker

/// Workers are counted by process, so that no two of these tests may run at once.
@Suite("Pools of workers", .serialized, .timeLimit(.minutes(5)))
enum PoolSuites {}

extension PoolSuites {
    @Suite("Workers that are lost")
    struct WorkerLossTests {
        /// The next attachment is done as if nothing had been.
        ///
        /// A pool of short patience gets several turns: on a machine with other work a worker may
        /// need longer to start than the test lets one decode.
        private func expectGoingOn(_ pool: WorkerPool) async throws {
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
            "A damaged picture is called damaged, and costs no worker",
            arguments: Enforcement.available)
        func damaged(enforcement: Enforcement) async throws {
            try await PoolFixture.with { fixture in
                // Small enough to be decoded at once, where the library's words are its last.
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
            "A plan that promised too little gets its worker killed, and costs a rung",
            arguments: Enforcement.available)
        func overCap(enforcement: Enforcement) async throws {
            try await PoolFixture.with { fixture in
                // 64 megapixels that the decoder keeps, of which the plan says they fit.
                let picture = try fixture.picture(8000, 8000, interlaced: true)
                try await fixture.withPool(
                    cap: MemoryCap(.mebibytes(24)), by: enforcement,
                    planningFor: MemoryCap(.mebibytes(4096)), decoder: .library
                ) { pool in
                    do throws(AttachmentError) {
                        let done = try await pool.process(picture, identifier: "id")
                        // Only what the first rung was too much for may come out of a lower one.
                        #expect(done.manifest.rung != Plan.Rung.streamed.rawValue)
                    } catch {
                        #expect(error.code == .killed, "\(error.detailedDescription)")
                        #expect(error.reason.contains("24 MiB"))
                        #expect(error.reason.contains("predicted to peak at"))
                    }
                    #expect(pool.statistics.lost >= 1)
                    #expect(try fixture.unfinished.isEmpty)
                    try await expectGoingOn(pool)
                }
            }
        }

        @Test(
            "A worker that is ended from outside at work is replaced, and the error says how",
            arguments: [(SIGKILL, AttachmentError.Code.killed), (SIGSEGV, .crashed)])
        func signals(signal: Int32, code: AttachmentError.Code) async throws {
            try await PoolFixture.with { fixture in
                let picture = try fixture.picture(15_000, 15_000)
                try await fixture.withPool { pool in
                    try await PoolFixture.signalling(signal) {
                        let error = await fixture.error(of: pool, picture)
                        #expect(error?.code == code, "\(error?.detailedDescription ?? "none")")
                        #expect(error?.reason.contains("on the rung") == true)
                    }
                    #expect(pool.statistics.lost >= 1)
                    #expect(try fixture.unfinished.isEmpty)
                    try await expectGoingOn(pool)
                }
            }
        }

        @Test("A worker that takes too long is killed at once")
        func late() async throws {
            try await PoolFixture.with { fixture in
                let picture = try fixture.picture(15_000, 15_000)
                try await fixture.withPool(timeout: .milliseconds(400)) { pool in
                    try await pool.warmUp()
                    let start = ContinuousClock.now
                    let error = await fixture.error(of: pool, picture)
                    #expect(error?.code == .late)
                    #expect(error?.reason.contains("0.4 s") == true)
                    #expect(start.duration(to: .now) < .seconds(5))
                    #expect(pool.statistics.lost >= 1)
                    #expect(try fixture.unfinished.isEmpty)
                    try await expectGoingOn(pool)
                }
            }
        }

        @Test("A hung worker is a late one")
        func hung() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(timeout: .milliseconds(500)) { pool in
                    try await pool.warmUp()
                    for worker in PoolFixture.workers { kill(worker, SIGSTOP) }
                    let error = await fixture.error(
                        of: pool, PoolFixture.sample("lake-baseline.jpg"))
                    // It had not said on which rung, so there is no other to try.
                    #expect(error?.code == .late && pool.statistics.lost == 1)
                    try await expectGoingOn(pool)
                }
            }
        }

        @Test("The deadline ends what is under way, and what waits for a worker")
        func deadline() async throws {
            try await PoolFixture.with { fixture in
                let picture = try fixture.picture(15_000, 15_000)
                try await fixture.withPool { pool in
                    try await pool.warmUp()
                    let start = ContinuousClock.now
                    let deadline = start + .milliseconds(300)
                    async let first = fixture.error(of: pool, picture, deadline: deadline)
                    async let second = fixture.error(of: pool, picture, deadline: deadline)
                    #expect(await [first?.code, second?.code] == [.late, .late])
                    #expect(start.duration(to: .now) < .seconds(2))
                    #expect(try fixture.unfinished.isEmpty)
                    try await expectGoingOn(pool)
                }
            }
        }

        @Test("A worker that is killed while it decodes has left no file with a name")
        func unfinished() async throws {
            try await PoolFixture.with { fixture in
                let picture = try fixture.picture(15_000, 15_000)
                try await fixture.withPool { pool in
                    let task = Task { await fixture.error(of: pool, picture) }
                    try await PoolFixture.wait {
                        PoolFixture.workers.contains { PoolFixture.isDecoding($0) }
                    }
                    for worker in PoolFixture.workers { kill(worker, SIGSTOP) }
                    #expect(try fixture.unfinished.isEmpty)
                    task.cancel()
                    #expect(await task.value?.code == .cancelled)
                    #expect(try fixture.unfinished.isEmpty)
                }
            }
        }

        @Test("Cancelling the task kills the worker at once, and counts for nothing")
        func withdrawn() async throws {
            try await PoolFixture.with { fixture in
                let picture = try fixture.picture(15_000, 15_000)
                try await fixture.withPool { pool in
                    try await pool.warmUp()
                    let task = Task { await fixture.error(of: pool, picture) }
                    try await Task.sleep(for: .milliseconds(200))
                    let start = ContinuousClock.now
                    task.cancel()
                    #expect(await task.value?.code == .cancelled)
                    #expect(start.duration(to: .now) < .seconds(1))
                    #expect(pool.statistics.lost == 0)
                    #expect(PoolFixture.workers.isEmpty)
                    #expect(try fixture.unfinished.isEmpty)
                    try await expectGoingOn(pool)
                }
            }
        }
    }
}
