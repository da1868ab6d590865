import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import CapMatrix
import Foundation
import Testing

/// A pairwise selection of the full matrix of `make matrix`.
@Suite("The cap matrix", .serialized, .timeLimit(.minutes(20)))
struct CapMatrixTests {
    @Test("Every pair of options keeps the peak within its prediction and loses no worker")
    func pairs() async throws {
        try await MatrixFolder.with { folder in
            let pictures = try folder.makePictures()
            let factors = try MatrixFactors(
                picturesIn: pictures, enforcements: MatrixFactors.availableEnforcements)
            #expect(factors.kindNames.count == 36)
            let cases = factors.pairwise(seed: 1)
            #expect(cases.count >= 36 * 8)
            let run = try await MatrixRun(in: folder.url, first: cases[0])
            let results = try await run.results(of: cases, jobs: 2)
            for finding in MatrixReport(results).findings {
                Issue.record("\(finding.matrixCase): \(finding.faults.joined(separator: "; "))")
            }
            try Self.checkThatEnoughIsMade(results, factors.kindNames)
        }
    }

    /// Cases found by `make matrix` that no pairwise selection contains.
    private static let found: Set = [
        "avif-grid 1 whole 10MB srgb 160pt 50MiB cgroup",
        "jpeg-cmyk 2 whole 40kB p3 440pt 12MiB cgroup",
    ]

    @Test(
        "Cases that once exceeded their prediction keep it",
        .enabled(
            if: MatrixFactors.availableEnforcements.contains(.cgroup), "needs control groups"))
    func regressions() async throws {
        try await MatrixFolder.with { folder in
            let factors = try MatrixFactors(
                picturesIn: folder.makePictures(),
                enforcements: MatrixFactors.availableEnforcements)
            let cases = factors.all.filter { Self.found.contains("\($0)") }
            #expect(cases.count == Self.found.count)
            let run = try await MatrixRun(in: folder.url, first: cases[0])
            for result in try await run.results(of: cases, jobs: 1) {
                #expect(result.isMade)
                #expect(result.faults == [], "\(result.matrixCase)")
            }
        }
    }

    /// Fails if everything is refused, which would keep every cap.
    private static func checkThatEnoughIsMade(
        _ results: [MatrixResult], _ kinds: [String]
    ) throws {
        for (mebibytes, least) in [(12, 0.6), (16, 0.8), (24, 0.9), (50, 0.9)] {
            let cap = MemoryCap(.mebibytes(mebibytes))
            let some = results.filter { $0.matrixCase.cap == cap }
            try #require(!some.isEmpty)
            let share = Double(some.count(where: \.isMade)) / Double(some.count)
            #expect(share >= least, "\(cap)")
        }
        for kind in kinds {
            let some = results.filter { $0.matrixCase.picture.kind == kind }
            #expect(some.count(where: \.isMade) >= 3, "\(kind)")
        }
        // The baseline of a worker is 6 MB, and the cheapest plan takes another two.
        let least = results.filter { $0.matrixCase.cap == MemoryCap(.mebibytes(8)) }
        #expect(least.contains { $0.ending == "over-cap" })
    }

    @Test(
        "A cap that is too small for the worker is reported as such",
        arguments: MatrixFactors.availableEnforcements)
    func tooSmall(enforcement: Enforcement) async throws {
        try await MatrixFolder.with { folder in
            var settings = ProcessingSettings()
            settings.cap = MemoryCap(.mebibytes(4))
            let pool = try WorkerPool(
                settings: settings, container: .create(at: folder.url.appending(path: "C")),
                enforcement: enforcement)
            let error = await #expect(throws: WorkerPoolError.self) { try await pool.warmUp() }
            #expect(error?.description.contains("the cap of 4 MiB") == true)
            await pool.close()
        }
    }
}

/// A temporary folder.
private struct MatrixFolder {
    let url: URL

    static let benchmarks = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func with(_ body: (MatrixFolder) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory
            .appending(path: "thimble-matrix-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(MatrixFolder(url: url))
    }

    /// Makes the pictures of the matrix and returns their folder.
    func makePictures() throws -> URL {
        let folder = url.appending(path: "pictures")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            Self.benchmarks.appending(path: "matrix/make_pictures.py").path, folder.path,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return folder
    }
}
