import AttachmentContainer
import AttachmentModel
import Foundation
import WorkerProtocol
import Testing

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("The program of a worker")
    struct WorkerProgramTests {
        /// Names of the running workers' programs.
        private var programs: [String] {
            PoolFixture.workers.compactMap { process in
                KernelFile.text("/proc/\(process)/cmdline")?.split(separator: "\0").first
                    .map { String($0.split(separator: "/").last ?? $0) }
            }.sorted()
        }

        @Test(
            "Only pictures that need libvips start the worker with it",
            arguments: [
                ("lake-baseline.jpg" as String?, Engine.rows, ["thimble-row-worker"]),
                ("lake-evening.heic", .rows, ["thimble-row-worker"]),
                ("still-life.png", .rows, ["thimble-row-worker"]),
                ("thimble-alpha.png", .rows, ["thimble-row-worker"]),
                ("aurora-animated.gif", .rows, ["thimble-row-worker"]),
                ("aurora-animated.webp", .rows, ["thimble-row-worker"]),
                ("dunes-cmyk.jpg", .rows, ["thimble-row-worker"]),
                (nil, .libvips, ["thimble-row-worker", "thimble-worker"]),
            ])
        func choice(name: String?, engine: Engine, expected: [String]) async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(sandbox: .off) { pool in
                    let path = try name.map(PoolFixture.sample) ?? fixture.pictureForLibvips()
                    let request = AttachmentRequest(path: path, identifier: "id")
                    let found = try await pool.inspect(request)
                    let chosen = found.steps.first { $0.isChosen }
                    #expect(chosen?.engine == engine)
                    let done = try await pool.process(request)
                    #expect(done.manifest.engine == engine.rawValue)
                    #expect(done.manifest.rung == chosen?.rung.rawValue)
                    // Workers are reused, those that handed the file back too.
                    let again = try await pool.inspect(request).steps.first { $0.isChosen }
                    #expect(again?.plan == chosen?.plan)
                    #expect(programs == expected)
                    #expect(pool.statistics.started == expected.count)
                    #expect(pool.statistics.lost == 0)
                }
            }
        }

        @Test("The engine libvips needs one program for everything")
        func only() async throws {
            try await PoolFixture.with { fixture in
                let program = try #require(WorkerLaunch.installedExecutables()[.libvips])
                // A program given by path takes everything too.
                try await fixture.withPool(executable: program) { pool in
                    let paths = [
                        PoolFixture.sample("lake-baseline.jpg"), try fixture.pictureForLibvips(),
                    ]
                    for path in paths {
                        _ = try await pool.process(path, identifier: path)
                    }
                    #expect(pool.statistics.started == 1 && pool.statistics.lost == 0)
                }
            }
        }

        @Test("A picture that needs libvips does not fit under a cap that holds the other worker")
        func smallCap() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(cap: MemoryCap(.mebibytes(5))) { pool in
                    let done = try await pool.process(
                        PoolFixture.sample("lake-baseline.jpg"), identifier: "rows")
                    #expect(done.memory.measuredPeak < .mebibytes(5))
                    let error = await fixture.error(of: pool, try fixture.pictureForLibvips())
                    #expect(error?.code == .overCap, "\(String(describing: error))")
                }
            }
        }
    }
}
