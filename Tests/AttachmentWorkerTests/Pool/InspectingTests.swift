import AttachmentContainer
import AttachmentModel
import Foundation
import Testing
import WorkerProtocol

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("Inspecting in workers")
    struct InspectingTests {
        private static let picture = PoolFixture.sample("still-life.png")

        @Test(
            "A worker that has inspected plans as a cold one, and then processes as it said",
            arguments: Enforcement.available)
        func cold(enforcement: Enforcement) async throws {
            try await PoolFixture.with { fixture in
                let cap = MemoryCap.legacyServiceExtension
                // Inspecting predicts a decoding by one thread.
                try await fixture.withPool(cap: cap, by: enforcement, threads: .one) { pool in
                    var budgets: Set<MemoryBudget> = []
                    for name in ["lake-evening.heic", "chime.wav", "ridges-progressive.jpg"] {
                        for _ in 0..<20 {
                            budgets.insert(
                                try await pool.inspect(PoolFixture.sample(name)).budget)
                        }
                    }
                    #expect(budgets.count == 1)
                    let budget = try #require(budgets.first)
                    #expect(budget.isCold && budget.cap == cap)
                    let path = PoolFixture.sample("ridges-progressive.jpg")
                    let found = try await pool.inspect(path)
                    let chosen = try #require(found.steps.first { $0.isChosen })
                    #expect(try Array(fixture.container.manifests()).isEmpty)
                    let done = try await pool.process(path, identifier: "id")
                    #expect(done.manifest.rung == chosen.rung.rawValue)
                    #expect(done.memory.predictedPeak == found.predictedPeak)
                    #expect(done.memory.baseline == budget.baseline)
                    #expect(try await !pool.inspect(path).budget.isCold)
                    #expect(pool.statistics.started == 1 && pool.statistics.lost == 0)
                }
            }
        }

        @Test(
            "Ceilings and headers refuse as processing does, and cost no worker",
            arguments: ["letter.jpg", "README.md", "nowhere"])
        func refused(name: String) async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool { pool in
                    let path = PoolFixture.sample(name)
                    let error = await Self.error(of: pool, path)
                    #expect(error != nil)
                    #expect(await fixture.error(of: pool, path) == error)
                    #expect(pool.statistics.lost == 0)
                }
            }
        }

        @Test("Facts that no attachment has end the worker")
        func facts() async throws {
            try await PoolFixture.with { fixture in
                let honest = try await fixture.withPool { try await $0.inspect(Self.picture) }
                let body = fixture.folder.appending(path: "found")
                try JSONEncoder().encode(WorkerMessage.inspected(honest)).write(to: body)
                let worker = try fixture.fakeWorker(
                    """
                    send(ready)
                    receive()
                    message = json.load(open(here + "/found"))
                    _, found = message
                    header = found["content"]["picture"]["_0"]
                    step = found["steps"][0]
                    exec(open(here + "/lie").read())
                    send(message)
                    time.sleep(60)
                    """)
                let lie = fixture.folder.appending(path: "lie")
                try await fixture.withPool(executable: worker) { pool in
                    for line in Self.lies {
                        try Data(line.utf8).write(to: lie)
                        let error = await Self.error(of: pool, Self.picture)
                        #expect(error?.code == .crashed, "\(line)")
                        #expect(error?.reason.contains("broke the protocol") == true, "\(line)")
                    }
                    #expect(pool.statistics.lost == Self.lies.count)
                    try Data().write(to: lie)
                    #expect(try await pool.inspect(Self.picture) == honest)
                }
            }
        }

        private static let lies = [
            #"header["chromaSubsampling"] = "\x1b[2J""#,
            #"header["storedSize"]["width"] = -1"#,
            #"header["storedSize"]["height"] = 1 << 60"#,
            #"header["bitsPerSample"] = -1"#,
            #"header["frameCount"] = -(1 << 63)"#,
            #"header["profileBytes"] = (1 << 63) - 1"#,
            #"header["fileBytes"] = -1"#,
            #"header["timing"] = {"seconds": -1, "loopCount": 0}"#,
            #"header["previewSize"] = {"width": -1, "height": 1}"#,
            #"found["budget"]["baseline"] = -(1 << 63)"#,
            #"found["budget"]["reserve"] = -1"#,
            #"found["predictedPeak"] = -1"#,
            #"found["steps"] = []"#,
            #"found["steps"] = [step] * 1000"#,
            #"found["steps"] = [step] * 2"#,
            #"step["plan"] = "\u202e""#,
            #"step["plan"] = "x" * 5000"#,
            #"step["terms"] = [{"name": "\r", "bytes": 1}]"#,
            #"step["terms"] = [{"name": "x", "bytes": -1}]"#,
            #"step["over"] = 1"#,
            #"step["size"]["width"] = -1"#,
        ]

        @Test(
            "Answers to another order end the worker",
            arguments: [
                "send(started('streamed'))", "send(unable)", "send(ready)", "send(b'{')",
                #"send([DONE, {"memory": {"baseline": 1, "measuredPeak": 1}}])"#,
            ])
        func outOfTurn(line: String) async throws {
            try await PoolFixture.with { fixture in
                let worker = try fixture.fakeWorker(
                    "send(ready); receive(); \(line); time.sleep(60)")
                try await fixture.withPool(executable: worker) { pool in
                    let error = await Self.error(of: pool, Self.picture)
                    #expect(error?.code == .crashed && error?.file == Self.picture)
                    #expect(error?.reason.contains("broke the protocol") == true)
                    #expect(pool.statistics.lost == 1)
                }
            }
        }

        @Test("A file that was to be processed is not answered with an inspection")
        func inspectedInstead() async throws {
            try await PoolFixture.with { fixture in
                let honest = try await fixture.withPool { try await $0.inspect(Self.picture) }
                try JSONEncoder().encode(WorkerMessage.inspected(honest))
                    .write(to: fixture.folder.appending(path: "found"))
                let worker = try fixture.fakeWorker(
                    #"send(ready); receive(); send(open(here + "/found", "rb").read()); time.sleep(60)"#
                )
                try await fixture.withPool(executable: worker) { pool in
                    let error = await fixture.error(of: pool, Self.picture)
                    #expect(error?.reason.contains("out of turn") == true)
                }
            }
        }

        @Test("A worker that hangs, exits or fails is the error, with text fit for a terminal")
        func losses() async throws {
            try await PoolFixture.with { fixture in
                var worker = try fixture.fakeWorker("send(ready); receive(); time.sleep(60)")
                try await fixture.withPool(timeout: .seconds(3), executable: worker) { pool in
                    #expect(await Self.error(of: pool, Self.picture)?.code == .late)
                }
                worker = try fixture.fakeWorker("send(ready); receive(); os._exit(9)")
                try await fixture.withPool(executable: worker) { pool in
                    #expect(await Self.error(of: pool, Self.picture)?.code == .crashed)
                    #expect(pool.statistics.lost == 1)
                }
                worker = try fixture.fakeWorker(
                    #"""
                    failed[1]["file"] = "/etc/passwd"
                    failed[1]["fault"].update(reason="\x1b[2J", remedy="\x1b[3J", code="\r")
                    send(ready)
                    while receive(): send(failed)
                    """#)
                try await fixture.withPool(executable: worker) { pool in
                    let error = await Self.error(of: pool, Self.picture)
                    #expect(error?.file == Self.picture && error?.reason == #"\u{1B}[2J"#)
                    #expect(error?.remedy == #"\u{1B}[3J"# && error?.fault.code == #"\u{D}"#)
                    #expect(pool.statistics.lost == 0)
                }
            }
        }

        @Test("An idle worker that has gone is replaced, and costs nothing")
        func replaced() async throws {
            let inspector = try AttachmentInspector(settings: ProcessingSettings())
            try await inspector.warmUp()
            let workers = PoolFixture.workers
            #expect(workers.count == 1)
            for worker in workers { kill(worker, SIGKILL) }
            try await PoolFixture.wait { PoolFixture.workers.isEmpty }
            let found = try await inspector.inspect(Self.picture)
            #expect(found.steps.contains { $0.isChosen })
            await inspector.close()
            #expect(PoolFixture.workers.isEmpty && PoolFixture.groups.isEmpty)
            #expect(await Self.error(of: inspector, Self.picture)?.code == .cancelled)
        }

        private static func error(of pool: WorkerPool, _ path: String) async -> AttachmentError? {
            do throws(AttachmentError) {
                _ = try await pool.inspect(path)
                return nil
            } catch {
                return error
            }
        }

        private static func error(
            of inspector: AttachmentInspector, _ path: String
        ) async -> AttachmentError? {
            do throws(AttachmentError) {
                _ = try await inspector.inspect(path)
                return nil
            } catch {
                return error
            }
        }
    }
}
