import AttachmentModel
import Foundation
import Testing
import WorkerProtocol

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("A worker is killed only for its current attachment")
    struct WorkerTurnTests {
        private static let picture = PoolFixture.sample("still-life.png")
        private static let request = WorkerRequest(below: nil)

        @Test("Cancelling an answered attachment does not cost a worker")
        func answered() async throws {
            try await PoolFixture.with { fixture in
                let program = try fixture.fakeWorker(
                    """
                    send(ready)
                    while receive():
                        open(here + "/asked", "w").close()
                        while not os.path.exists(here + "/answer"): time.sleep(0.002)
                        send(failed)
                    """)
                let asked = fixture.folder.appending(path: "asked").path
                let answer = fixture.folder.appending(path: "answer")
                try await fixture.withPool(executable: program) { pool in
                    let worker = try await pool.crew.start(.libvips, within: .seconds(60))
                    let file = try AttachmentFile(path: Self.picture)
                    let executor = HeldExecutor()
                    let task = Task(executorPreference: executor) {
                        await worker.perform(
                            Self.request, file, to: [], within: .seconds(60))
                    }
                    try await PoolFixture.wait { FileManager.default.fileExists(atPath: asked) }
                    do {
                        executor.hold()
                        defer { executor.release() }
                        let jobs = executor.jobs
                        try Data().write(to: answer)
                        try await PoolFixture.wait { executor.jobs > jobs }
                        // The answer has arrived, but the awaiting task has not resumed.
                        task.cancel()
                    }
                    #expect(await task.value.refusal?.code == .corrupt)
                    #expect(!worker.isGone)
                    let next = await worker.perform(
                        Self.request, file, to: [], within: .seconds(60))
                    #expect(next.refusal?.code == .corrupt)
                    await worker.end()
                }
            }
        }

        @Test("Ending a worker does not cancel the attachment assigned to it")
        func ended() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    let worker = try await pool.crew.start(.libvips, within: .seconds(60))
                    worker.kill(.withdrawn)
                    #expect(worker.isGone)
                    // Places it where the next attachment looks first.
                    _ = try await pool.roster.take(.rows)
                    pool.roster.giveBack(worker)
                    let done = try await pool.process(Self.picture, identifier: "id")
                    #expect(done.work == .made)
                    #expect(pool.statistics.started == 2 && pool.statistics.lost == 0)
                }
            }
        }

        @Test("Without remaining time an attempt is late at once, and the worker stays")
        func noTime() async throws {
            try await PoolFixture.with { fixture in
                let program = try fixture.fakeWorker("send(ready)\nwhile receive(): send(failed)")
                try await fixture.withPool(executable: program) { pool in
                    let worker = try await pool.crew.start(.libvips, within: .seconds(60))
                    let file = try AttachmentFile(path: Self.picture)
                    for time in [Duration.zero, .seconds(-1)] {
                        let outcome = await worker.perform(
                            Self.request, file, to: [], within: time)
                        #expect(outcome.loss?.cause == .late)
                    }
                    #expect(!worker.isGone)
                    let next = await worker.perform(
                        Self.request, file, to: [], within: .seconds(60))
                    #expect(next.refusal?.code == .corrupt)
                    await worker.end()
                    let error = await #expect(throws: WorkerLoss.self) {
                        _ = try await pool.crew.start(.libvips, within: .zero)
                    }
                    #expect(error?.cause == .late)
                    #expect(pool.statistics.started == 1)
                }
            }
        }
    }
}

extension Worker.Reply<Rendering> {
    /// The worker's error.
    fileprivate var refusal: AttachmentError? {
        if case .success(.failure(let error)) = self { error } else { nil }
    }

    fileprivate var loss: WorkerLoss? {
        if case .failure(let loss) = self { loss } else { nil }
    }
}
