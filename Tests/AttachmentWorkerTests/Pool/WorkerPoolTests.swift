import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Foundation
import Testing

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("Workers")
    struct WorkerPoolTests {
        @Test("An attachment is done in a worker, which is kept, counted and ended")
        func work() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    for name in ["lake-baseline.jpg", "still-life.png"] {
                        let done = try await pool.process(
                            PoolFixture.sample(name), identifier: name)
                        #expect(done.work == .made)
                        #expect(done.memory.measuredPeak < pool.hardCap.cap.footprint)
                        #expect(try fixture.container.manifest(for: name) == done.manifest)
                        let isCounted = [.controlGroup1, .controlGroup2]
                            .contains(pool.hardCap.mechanism)
                        if isCounted, pool.hardCap.mechanism == .controlGroup1 {
                            #expect(done.memory.kernelPeak != nil)
                        }
                    }
                    #expect(pool.statistics.started == 1 && pool.statistics.lost == 0)
                }
            }
        }

        @Test("A refusal of the processor passes through, and the worker stays")
        func refusal() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    let error = await fixture.error(of: pool, PoolFixture.sample("letter.jpg"))
                    #expect(error?.code == .unsupported)
                    #expect(error?.file == PoolFixture.sample("letter.jpg"))
                    #expect(await fixture.error(of: pool, "/nowhere")?.code == .unreadable)
                    #expect(pool.statistics.started == 1 && pool.statistics.lost == 0)
                }
            }
        }

        @Test("A warm worker that is gone costs nothing")
        func stale() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    try await pool.warmUp()
                    for worker in PoolFixture.workers { kill(worker, SIGKILL) }
                    _ = try await pool.process(
                        PoolFixture.sample("still-life.png"), identifier: "id")
                    #expect(pool.statistics.started == 2 && pool.statistics.lost == 0)
                }
            }
        }

        @Test("What a warm worker keeps of earlier attachments is held against no other")
        func drift() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(
                    cap: MemoryCap(.mebibytes(64)), planningFor: MemoryCap(.mebibytes(8))
                ) { pool in
                    // Beside the worker itself there is nothing to plan with, warm or not.
                    for _ in 0..<2 {
                        let error = await fixture.error(
                            of: pool, PoolFixture.sample("lake-baseline.jpg"))
                        #expect(error?.code == .overCap)
                    }
                    // The warm one was given up for a fresh one, which says the same.
                    #expect(pool.statistics.started == 2 && pool.statistics.lost == 0)
                }
            }
        }

        @Test("Many attachments share few workers, each its own")
        func sharing() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(workers: 2) { pool in
                    let batch = try FolderBatch(
                        folder: URL(fileURLWithPath: PoolFixture.sample("")),
                        container: fixture.container)
                    let results = await batch.run(with: pool, jobs: 5) { _ in }
                    #expect(results.count == batch.items.count)
                    #expect(results.count { $0.isMade } >= 15)
                }
            }
        }

        @Test("Two supervisors on one container do not disturb each other")
        func together() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { first in
                    let second = try WorkerPool(
                        settings: ProcessingSettings(), container: fixture.container)
                    let batch = try FolderBatch(
                        folder: URL(fileURLWithPath: PoolFixture.sample("")),
                        container: fixture.container)
                    async let one = batch.run(with: first, jobs: 1) { _ in }
                    async let other = batch.run(with: second, jobs: 1) { _ in }
                    let results = await (one, other)
                    await second.close()
                    #expect(results.0.count { $0.isMade } >= 15)
                    #expect(results.1.count { $0.isMade } >= 10)
                    var findings: [Finding] = []
                    _ = fixture.container.verify {
                        if case .finding(let finding) = $0, finding.severity == .error {
                            findings.append(finding)
                        }
                    }
                    #expect(findings.isEmpty)
                }
            }
        }

        @Test("What is no worker is found before any work")
        func strangers() async throws {
            try await PoolFixture.with { fixture in
                func failure(_ path: String) async -> WorkerPoolError? {
                    do throws(WorkerPoolError) {
                        let pool = try WorkerPool(
                            settings: ProcessingSettings(), container: fixture.container,
                            executable: URL(fileURLWithPath: path))
                        try await pool.warmUp()
                        return nil
                    } catch {
                        return error
                    }
                }
                #expect(await failure("/nowhere") == .noExecutable("/nowhere"))
                // One ends at once, and the other repeats what it hears.
                for path in ["/bin/true", "/bin/cat"] {
                    guard case .notReady? = await failure(path) else {
                        Issue.record("\(path) passed for a worker")
                        continue
                    }
                }
            }
        }

        @Test(
            "A cap that the worker alone does not fit under is said before any work",
            arguments: Enforcement.available)
        func smallCap(enforcement: Enforcement) async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(
                    cap: MemoryCap(.mebibytes(4)), by: enforcement
                ) { pool in
                    let error = await #expect(throws: WorkerPoolError.self) {
                        try await pool.warmUp()
                    }
                    guard case .notReady? = error else {
                        Issue.record("\(String(describing: error))")
                        return
                    }
                }
            }
        }

        @Test(
            "Asking by name for control groups that are not there is an error",
            .enabled(if: !Machine.hasControlGroups, "this machine has control groups"))
        func unavailable() async throws {
            try await PoolFixture.with { fixture in
                #expect(throws: WorkerPoolError.self) {
                    try WorkerPool(
                        settings: ProcessingSettings(), container: fixture.container,
                        enforcement: .cgroup)
                }
            }
        }
    }
}

extension FolderBatch.Result {
    fileprivate var isMade: Bool { if case .done = outcome { true } else { false } }
}
