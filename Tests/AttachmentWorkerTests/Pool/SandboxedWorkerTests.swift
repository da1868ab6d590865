import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import WorkerProtocol
import Testing

@testable import AttachmentWorker

extension PoolSuites {
    @Suite("Sandboxed workers", .enabled(if: Sandbox.isAvailable, "the kernel lacks Landlock"))
    struct SandboxedWorkerTests {
        @Test("Every picture has the same result with and without a sandbox")
        func outcomes() async throws {
            let pictures = try Self.pictures()
            #expect(!pictures.isEmpty)
            let free = try await Self.outcomes(of: pictures, .off)
            let held = try await Self.outcomes(of: pictures, .require)
            #expect(free.count == pictures.count && held.count == pictures.count)
            for (picture, outcome) in held {
                #expect(outcome == free[picture], "\(picture)")
            }
            let formats = Set(
                held.values.compactMap { try? $0.get().source.format })
            #expect(formats.isSuperset(of: ["jpeg", "png", "webp", "gif", "heic", "avif", "tiff"]))
        }

        @Test("The reported sandbox matches the kernel's view")
        func report() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(sandbox: .require) { pool in
                    #expect(pool.sandbox == nil)
                    try await pool.warmUp()
                    let report = try #require(pool.sandbox)
                    #expect(report.isComplete && report.mode == .require)
                    let worker = try #require(PoolFixture.workers.first)
                    let status = try #require(KernelFile.text("/proc/\(worker)/status"))
                    for line in ["NoNewPrivs:\t1", "Seccomp:\t2", "CapEff:\t0000000000000000"] {
                        #expect(status.contains(line))
                    }
                    let limits = try #require(KernelFile.text("/proc/\(worker)/limits"))
                    #expect(limits.contains(#/Max core file size +0 +0 /#))
                }
                try await fixture.withPool(sandbox: .off) { pool in
                    try await pool.warmUp()
                    #expect(pool.sandbox?.entries.isEmpty == true)
                }
            }
        }

        @Test(
            "A worker has only its protocol descriptors and its own procfs files open",
            .enabled(if: geteuid() == 0, "needs root"))
        func descriptors() async throws {
            try await PoolFixture.with { fixture in
                try await fixture.withPool(sandbox: .require) { pool in
                    _ = try await pool.process(
                        PoolFixture.sample("lake-baseline.jpg"), identifier: "id")
                    let worker = try #require(PoolFixture.workers.first)
                    let folder = "/proc/\(worker)/fd"
                    let open = try FileManager.default.contentsOfDirectory(atPath: folder).map {
                        try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
                    }
                    let own = ["smaps", "status", "statm", "clear_refs"].map {
                        "/proc/\(worker)/\($0)"
                    }
                    // Scratch files kept for the next attachment are unlinked.
                    let foreign = open.filter {
                        !own.contains($0) && !$0.hasSuffix(" (deleted)")
                            && !$0.hasPrefix("socket:") && !$0.hasPrefix("pipe:")
                    }
                    #expect(foreign.isEmpty, "\(open)")
                    #expect(open.count { $0.hasPrefix("socket:") } == 2)
                }
            }
        }

        @Test(
            "A worker inherits no environment but the library search path",
            arguments: [Enforcement.monitor, .rlimit, .auto])
        func environment(enforcement: Enforcement) async throws {
            try await PoolFixture.with { fixture in
                // A shell, which starts workers under most mechanisms, adds variables of its own.
                try await fixture.withPool(by: enforcement, sandbox: .off) { pool in
                    try await pool.warmUp()
                    let worker = try #require(PoolFixture.workers.first)
                    let variables = try #require(KernelFile.text("/proc/\(worker)/environ"))
                    // The C library cuts GLIBC_TUNABLES at its colons.
                    let names = Set(
                        variables.split(separator: "\0").map { $0.prefix { $0 != "=" } }
                            .filter { !$0.hasPrefix("glibc.malloc.") })
                    #expect(names.contains("GLIBC_TUNABLES") && !names.contains("PATH"))
                    #expect(
                        names.isSubset(
                            of: ["GLIBC_TUNABLES", "LD_LIBRARY_PATH", "SWIFT_BACKTRACE"]),
                        "\(names)")
                }
            }
        }

        @Test("Of libvips' modules only the one for HEIF may be loaded")
        func modules() async throws {
            try await PoolFixture.with { fixture in
                let program = try #require(WorkerLaunch.installedExecutables()[.libvips])
                // A sandboxed worker's mappings can be read only by root.
                try await fixture.withPool(sandbox: .off, executable: program) { pool in
                    _ = try await pool.process(
                        try fixture.pictureForLibvips(), identifier: "id")
                    let worker = try #require(PoolFixture.workers.first)
                    let mappings = try #require(KernelFile.text("/proc/\(worker)/maps"))
                    #expect(mappings.contains("/libvips.so"))
                    for library in ["Magick", "poppler", "openslide"] {
                        #expect(!mappings.contains(library), "\(library)")
                    }
                }
            }
        }

        @Test("Workers start repeatedly without reading forbidden files")
        func starts() async throws {
            try await PoolFixture.with { fixture in
                for round in 0..<15 {
                    try await fixture.withPool(sandbox: .require) { pool in
                        let done = try await pool.process(
                            PoolFixture.sample("still-life.png"), identifier: "\(round)")
                        #expect(abs(done.manifest.created.timeIntervalSinceNow) < 60)
                        #expect(pool.statistics.lost == 0)
                    }
                }
            }
        }

        @Test("Scratch files are created only in the given folder")
        func scratch() async throws {
            try await PoolFixture.with { fixture in
                let scratch = fixture.folder.appending(path: "scratch")
                try FileManager.default.createDirectory(
                    at: scratch, withIntermediateDirectories: true)
                try await fixture.withPool(sandbox: .require, scratch: scratch.path) { pool in
                    let name = try #require(
                        Self.pictures().first { $0.hasSuffix(".heic") || $0.hasSuffix(".avif") })
                    let done = try await pool.process(name, identifier: "id")
                    #expect(done.work == .made)
                }
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: scratch.path).isEmpty)
            }
        }
    }
}

extension PoolSuites.SandboxedWorkerTests {
    /// The result of an attachment, without time and memory.
    private typealias Ending = Result<Manifest, AttachmentError>

    /// The sample pictures, and the corpus's pictures if available.
    private static func pictures() throws -> [String] {
        let package = URL(fileURLWithPath: PoolFixture.sample("")).deletingLastPathComponent()
        let corpus = URL(fileURLWithPath: Corpus.folder)
        return [package.appending(path: "Images"), corpus].flatMap { folder in
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            // Excluded because it takes longer than all the others together.
            return names.sorted().filter { $0 != "pillowheif__200MP.heic" }
                .map { folder.appending(path: $0).path }
        }
    }

    private static func outcomes(
        of pictures: [String], _ mode: SandboxMode
    ) async throws -> [String: Ending] {
        try await PoolFixture.with { fixture in
            // Enough memory for the same rung in both cases.
            try await fixture.withPool(
                cap: .init(.mebibytes(512)), workers: 2, sandbox: mode
            ) { pool in
                try await withThrowingTaskGroup(of: (String, Ending).self) { group in
                    for picture in pictures {
                        group.addTask {
                            do throws(AttachmentError) {
                                let done = try await pool.process(picture, identifier: picture)
                                return (picture, .success(done.manifest.withoutFigures))
                            } catch {
                                return (picture, .failure(error))
                            }
                        }
                    }
                    return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
                }
            }
        }
    }
}

extension Manifest {
    /// Without date and memory.
    fileprivate var withoutFigures: Manifest {
        Manifest(
            identifier: identifier, category: category, created: .distantPast, source: source,
            settings: settings, renditions: renditions, contentSizeRatio: contentSizeRatio,
            placeholder: placeholder, averageColour: averageColour, rung: rung, notes: notes)
    }
}
