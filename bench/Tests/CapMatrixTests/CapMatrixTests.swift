import AttachmentContainer
import AttachmentModel
import AttachmentWorker
import CapMatrix
import Foundation
import SampleMedia
import Testing

/// A sixth of a pairwise selection of the full matrix of `make matrix`; all of it if thorough.
@Suite("The cap matrix", .serialized, .timeLimit(.minutes(20)))
struct CapMatrixTests {
    @Test("Every pair of options keeps the peak within its prediction and loses no worker")
    func pairs() async throws {
        try await MatrixFolder.with { folder in
            let factors = try MatrixFactors(
                picturesIn: folder.makePictures(),
                enforcements: MatrixFactors.availableEnforcements)
            #expect(factors.kindNames.count == 57)
            let all = factors.pairwise(seed: 1)
            #expect(all.count >= 56 * 8)
            let cases = Self.selection(of: all, factors.kindNames)
            let run = try await MatrixRun(in: folder.url, first: cases[0])
            var results = try await run.results(of: cases, jobs: 2)
            if let regressions = try Self.regressions(in: factors) {
                let later = try await run.results(of: regressions, jobs: 2)
                #expect(later.allSatisfy { $0.isMade })
                results += later
            }
            for finding in MatrixReport(results).findings {
                Issue.record("\(finding.matrixCase): \(finding.faults.joined(separator: "; "))")
            }
            try Self.checkThatEnoughIsMade(results, factors.kindNames)
        }
    }

    /// A sixth of the cases, of every kind of picture and every cap, or all if thorough.
    ///
    /// Each kind is among those with the largest cap, under which it must be made.
    private static func selection(of cases: [MatrixCase], _ kinds: [String]) -> [MatrixCase] {
        guard !Thoroughness.isFull else { return cases }
        return kinds.enumerated().flatMap { index, kind in
            let some = cases.filter { $0.picture.kind == kind }
            // Most plans do not fit into the smallest cap.
            let (small, large) = (some.filter(isSmall), some.filter { !isSmall($0) })
            let largest = large.max { $0.cap.footprint < $1.cap.footprint }
            let others = large.filter { $0 != largest }
            return small.prefix(index.isMultiple(of: 4) ? 1 : 0) + [largest].compactMap { $0 }
                + stride(from: 0, to: others.count, by: 9).map { others[$0] }
        }
    }

    private static func isSmall(_ matrixCase: MatrixCase) -> Bool {
        matrixCase.cap == MemoryCap(.mebibytes(8))
    }

    /// Cases found by `make matrix` that no pairwise selection contains.
    ///
    /// libvips decodes by itself: the threads are the default method's.
    private static let found: Set = [
        "avif-grid 1 whole 10MB srgb 160pt 50MiB cgroup libvips 2-threads",
        "jpeg-cmyk 2 whole 40kB p3 440pt 12MiB cgroup libvips 2-threads",
    ]

    /// The cases of ``found``; nil without control groups, under which they were found.
    private static func regressions(in factors: MatrixFactors) throws -> [MatrixCase]? {
        guard MatrixFactors.availableEnforcements.contains(.cgroup) else { return nil }
        let cases = factors.all.filter { found.contains("\($0)") }
        try #require(cases.count == found.count)
        return cases
    }

    /// Fails if everything is refused, which would keep every cap.
    private static func checkThatEnoughIsMade(
        _ results: [MatrixResult], _ kinds: [String]
    ) throws {
        let shares =
            Thoroughness.isFull
            ? [(12, 0.6), (16, 0.8), (24, 0.9), (50, 0.9)]
            : [(12, 0.5), (16, 0.6), (24, 0.8), (50, 0.8)]
        for (mebibytes, least) in shares {
            let cap = MemoryCap(.mebibytes(mebibytes))
            let some = results.filter { $0.matrixCase.cap == cap }
            try #require(!some.isEmpty)
            let share = Double(some.count(where: \.isMade)) / Double(some.count)
            #expect(share >= least, "\(cap)")
        }
        for kind in kinds {
            let some = results.filter { $0.matrixCase.picture.kind == kind }
            #expect(some.count(where: \.isMade) >= (Thoroughness.isFull ? 3 : 1), "\(kind)")
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
            settings.cap = MemoryCap(.mebibytes(1))
            let pool = try WorkerPool(
                settings: settings, container: .create(at: folder.url.appending(path: "C")),
                enforcement: enforcement)
            let error = await #expect(throws: WorkerPoolError.self) { try await pool.warmUp() }
            #expect(error?.description.contains("the cap of 1 MiB") == true)
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
