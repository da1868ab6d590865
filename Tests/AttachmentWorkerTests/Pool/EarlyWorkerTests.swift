import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("Workers started before their pool")
    struct EarlyWorkerTests {
        private static let cap = MemoryCap(.mebibytes(64))

        @Test("The first worker takes the process", arguments: Enforcement.available)
        func taken(by enforcement: Enforcement) async throws {
            try await PoolFixture.with { fixture in
                let early = try #require(EarlyWorker(cap: Self.cap, enforcement: enforcement))
                let process = try await Self.onlyWorker()
                try await fixture.withPool(cap: Self.cap, by: enforcement, early: early) { pool in
                    try await pool.warmUp()
                    #expect(PoolFixture.workers == [process])
                    let done = try await pool.process(
                        PoolFixture.sample("lake-baseline.jpg"), identifier: "id")
                    #expect(done.work == .made)
                    #expect(done.memory.measuredPeak < Self.cap.footprint)
                    #expect(PoolFixture.workers == [process])
                    #expect(pool.statistics.started == 1 && pool.statistics.lost == 0)
                    // The pool ends it.
                    await early.end()
                    #expect(PoolFixture.workers == [process])
                }
            }
        }

        @Test("A pool with another cap or mechanism starts its own, and the process is ended")
        func refused() async throws {
            try await PoolFixture.with { fixture in
                let early = try #require(EarlyWorker(cap: MemoryCap(.mebibytes(32))))
                let process = try await Self.onlyWorker()
                try await fixture.withPool(cap: Self.cap, early: early) { pool in
                    try await pool.warmUp()
                    #expect(PoolFixture.workers.filter { $0 != process }.count == 1)
                    await early.end()
                    #expect(PoolFixture.workers.count == 1)
                    #expect(!PoolFixture.workers.contains(process))
                }
                let other = try #require(EarlyWorker(cap: Self.cap, enforcement: .monitor))
                try await fixture.withPool(cap: Self.cap, by: .rlimit, early: other) { pool in
                    try await pool.warmUp()
                    #expect(PoolFixture.workers.count == 2)
                    await other.end()
                }
            }
        }

        @Test("An unused process is ended with its group")
        func unused() async throws {
            let early = try #require(EarlyWorker(cap: Self.cap))
            _ = try await Self.onlyWorker()
            await early.end()
            #expect(PoolFixture.workers.isEmpty)
            #expect(PoolFixture.groups.isEmpty)
            await early.end()
        }

        @Test("A process that was killed before is replaced or reported, and leaves nothing")
        func killed() async throws {
            try await PoolFixture.with { fixture in
                let early = try #require(EarlyWorker(cap: Self.cap))
                kill(try await Self.onlyWorker(), SIGKILL)
                try await fixture.withPool(cap: Self.cap, early: early) { pool in
                    await #expect(throws: WorkerPoolError.self) { try await pool.warmUp() }
                    _ = try await pool.process(
                        PoolFixture.sample("lake-baseline.jpg"), identifier: "id")
                    #expect(pool.statistics.started == 1)
                }
            }
        }

        /// Waits until the only process has replaced the shell that starts it.
        private static func onlyWorker() async throws -> pid_t {
            for _ in 0..<1000 {
                if let worker = PoolFixture.workers.first { return worker }
                try await Task.sleep(for: .milliseconds(10))
            }
            throw NeverStarted()
        }

        private struct NeverStarted: Error {}
    }
}
