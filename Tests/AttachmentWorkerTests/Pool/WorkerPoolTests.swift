import AttachmentContainer
import AttachmentModel
import AttachmentPublishing
import Foundation
import Testing

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("Workers")
    struct WorkerPoolTests {
        @Test("A worker processes an attachment, is reused, counted and ended")
        func work() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    for name in ["lake-baseline.jpg", "gerbera-display-p3.jpg"] {
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

        @Test("For a container that seals pictures a pool starts no worker, and names the remedy")
        func sealed() async throws {
            try await PoolFixture.with { fixture in
                let sealing = PoolFixture(
                    folder: fixture.folder,
                    container: fixture.container.sealing(with: SealingKey.random()))
                try await sealing.withPool { pool in
                    // The second one needs no change, and so no encoder.
                    for name in ["lake-baseline.jpg", "still-life-ready.jpg"] {
                        let error = await sealing.error(of: pool, PoolFixture.sample(name))
                        #expect(error?.code == .unsupported)
                        #expect(error?.fault.remedy.contains("AttachmentProcessor") == true)
                    }
                    #expect(pool.statistics.started == 0)
                }
                #expect(try Array(fixture.container.manifests()).isEmpty)
            }
        }

        @Test("An encrypted attachment is refused, because its key stays in this process")
        func encrypted() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    var request = AttachmentRequest(path: "picture", identifier: "a")
                    request.file = try AttachmentFile(Secret(), path: "picture")
                    let encrypted = request
                    let processing = await #expect(throws: AttachmentError.self) {
                        _ = try await pool.process(encrypted)
                    }
                    let inspecting = await #expect(throws: AttachmentError.self) {
                        _ = try await pool.inspect(encrypted)
                    }
                    let encoding = await #expect(throws: AttachmentError.self) {
                        _ = try await pool.encodeStill(encrypted, StillOrder(bytes: 2400))
                    }
                    #expect(processing?.code == .unsupported && inspecting?.code == .unsupported)
                    #expect(encoding?.code == .unsupported)
                    #expect(encoding?.reason == processing?.reason)
                }
            }
        }

        @Test("Known bytes are answered without a worker")
        func known() async throws {
            try await PoolFixture.with { fixture in
                let picture = PoolFixture.sample("still-life.png")
                let made = try await fixture.withPool {
                    try await $0.process(picture, identifier: "a")
                }
                try await fixture.withPool { pool in
                    let again = try await pool.process(picture, identifier: "b")
                    #expect(again.work == .reused)
                    #expect(again.manifest.renditions == made.manifest.renditions)
                    #expect(pool.statistics.started == 0)
                }
            }
        }

        @Test("A refusal is passed on, and the worker stays")
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

        @Test("A warm worker that exited is replaced at no cost")
        func stale() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    try await pool.warmUp()
                    for worker in PoolFixture.workers { kill(worker, SIGKILL) }
                    _ = try await pool.process(
                        PoolFixture.sample("lake-baseline.jpg"), identifier: "id")
                    #expect(pool.statistics.started == 2 && pool.statistics.lost == 0)
                }
            }
        }

        @Test("Memory retained by a warm worker does not lead to a refusal")
        func drift() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(
                    cap: MemoryCap(.mebibytes(64)), planningFor: MemoryCap(.mebibytes(2))
                ) { pool in
                    // No memory is left beside the worker itself, warm or fresh.
                    for _ in 0..<2 {
                        let error = await fixture.error(
                            of: pool, PoolFixture.sample("lake-baseline.jpg"))
                        #expect(error?.code == .overCap)
                    }
                    // The warm worker was replaced by a fresh one with the same result.
                    #expect(pool.statistics.started == 2 && pool.statistics.lost == 0)
                }
            }
        }

        @Test("Many attachments share few workers without mixing results")
        func sharing() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(workers: 2) { pool in
                    let batch = try FolderBatch(
                        folder: URL(fileURLWithPath: PoolFixture.sample("")),
                        container: fixture.container)
                    let results = await batch.results(with: pool, jobs: 5)
                    #expect(results.count == batch.count())
                    #expect(results.count { $0.isMade } >= 15)
                }
            }
        }

        @Test("Two supervisors can share a container")
        func together() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { first in
                    let second = try WorkerPool(
                        settings: ProcessingSettings(), container: fixture.container)
                    let batch = try FolderBatch(
                        folder: URL(fileURLWithPath: PoolFixture.sample("")),
                        container: fixture.container)
                    async let one = batch.results(with: first, jobs: 1)
                    async let other = batch.results(with: second, jobs: 1)
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

        @Test("A program that is not a worker is detected before any work")
        func otherPrograms() async throws {
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
                // One exits at once, the other echoes its input.
                for path in ["/bin/true", "/bin/cat"] {
                    guard case .notReady? = await failure(path) else {
                        Issue.record("\(path) was accepted as a worker")
                        continue
                    }
                }
            }
        }

        @Test(
            "A cap below the worker's own footprint is reported before any work",
            arguments: Enforcement.available)
        func smallCap(enforcement: Enforcement) async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(
                    cap: MemoryCap(.mebibytes(1)), by: enforcement
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
            "Requesting unavailable control groups is an error",
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

extension FolderBatch {
    fileprivate func results(with pool: WorkerPool, jobs: Int) async -> [Result] {
        var results: [Result] = []
        await run(with: pool, jobs: jobs) { results.append($0) }
        return results
    }
}

extension FolderBatch.Result {
    fileprivate var isMade: Bool { if case .done = outcome { true } else { false } }
}

/// A plaintext that nobody may read.
private final class Secret: Plaintext {
    let length = 1000
    let identity = ContentDigest(of: "secret")

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(OpenFile.ReadFailure) -> Int { throw OpenFile.ReadFailure(code: EIO) }
}
