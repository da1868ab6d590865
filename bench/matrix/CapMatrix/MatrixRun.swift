import AttachmentContainer
import AttachmentModel
import AttachmentWorker
package import Foundation
import WorkerProtocol

/// Runs cases, each with a pool, a worker and a container of its own.
package struct MatrixRun: Sendable {
    /// The parent folder of the containers; each is removed after its case.
    private let folder: URL
    /// The program `thimble-worker`; nil for the one beside the running program.
    private let worker: URL?
    /// The footprint of a worker with libvips, and of one without, before its first attachment.
    private let baselines: [Engine: ByteCount]

    /// A guard against hangs.
    private static let timeout = Duration.seconds(300)

    /// Starts workers to measure their baselines.
    package init(in folder: URL, worker: URL? = nil, first: MatrixCase) async throws {
        self.folder = folder
        self.worker = worker
        var settings = first.settings
        settings.cap = MemoryCap(.mebibytes(512))
        settings.maximumBytes = .megabytes(10)
        var baselines: [Engine: ByteCount] = [:]
        for choice in ProcessingSettings.EngineChoice.allCases {
            settings.engine = choice
            let done = try await Self.process(first, settings, .monitor, in: folder, worker).0.get()
            baselines[choice == .libvips ? .libvips : .rows] = done.memory.baseline
        }
        self.baselines = baselines
    }

    /// Runs cases; when cancelled, returns the results so far.
    ///
    /// `finished` receives the number of finished cases and the latest result.
    package func results(
        of cases: [MatrixCase], jobs: Int,
        finished: @escaping @Sendable (Int, MatrixResult) -> Void = { _, _ in }
    ) async throws -> [MatrixResult] {
        let queue = CaseQueue(cases, finished)
        return try await withThrowingTaskGroup(of: [(Int, MatrixResult)].self) { lanes in
            for _ in 0..<max(1, min(jobs, cases.count)) {
                lanes.addTask { try await work(on: queue) }
            }
            let results = try await lanes.reduce(into: []) { $0 += $1 }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func work(on queue: CaseQueue) async throws -> [(Int, MatrixResult)] {
        var results: [(Int, MatrixResult)] = []
        while !Task.isCancelled, let (number, next) = queue.next() {
            let result = try await result(of: next)
            // An interrupted case's result says nothing about its options.
            guard !Task.isCancelled else { break }
            results.append((number, result))
            queue.finish(result)
        }
        return results
    }

    /// Runs one case.
    private func result(of matrixCase: MatrixCase) async throws -> MatrixResult {
        let (outcome, lost, overhead) = try await Self.process(
            matrixCase, matrixCase.settings, matrixCase.enforcement, in: folder, worker)
        let expectation = try MatrixExpectation(matrixCase, overhead: overhead)
        let losses = lost == 0 ? [] : ["\(lost) workers lost"]
        switch outcome {
        case .success(let done):
            return MatrixResult(
                matrixCase: matrixCase, ending: "made", memory: done.memory,
                rung: done.manifest.rung, faults: losses + expectation.faults(of: done))
        case .failure(let error):
            return MatrixResult(
                matrixCase: matrixCase, ending: error.code.rawValue, memory: nil, rung: nil,
                faults: losses + expectation.faults(of: error, baselines)
                    + (try await faultsWithNamedCap(of: error, matrixCase)))
        }
    }

    /// Tries the remedy of a refusal: the cap that it names must be enough.
    private func faultsWithNamedCap(
        of error: AttachmentError, _ matrixCase: MatrixCase
    ) async throws -> [String] {
        guard error.code == .overCap else { return [] }
        guard let words = error.reason.firstMatch(of: /a cap of ([0-9.]+) ([kMG]B) is enough/),
            let cap = ByteCount(parsing: "\(words.1)\(words.2)")
        else { return ["names no cap that is enough: \(error.reason)"] }
        var settings = matrixCase.settings
        settings.cap = MemoryCap(cap)
        let (outcome, lost, _) = try await Self.process(
            matrixCase, settings, matrixCase.enforcement, in: folder, worker)
        switch outcome {
        case .failure(let error) where error.code == .overCap || lost > 0:
            return ["with the named cap of \(cap): \(error.reason), \(lost) workers lost"]
        default:
            return lost == 0 ? [] : ["with the named cap of \(cap): \(lost) workers lost"]
        }
    }

    private static func process(
        _ matrixCase: MatrixCase, _ settings: ProcessingSettings, _ enforcement: Enforcement,
        in folder: URL, _ worker: URL?
    ) async throws -> (Result<ProcessedAttachment, AttachmentError>, lost: Int, ByteCount) {
        let place = folder.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        let pool = try WorkerPool(
            settings: settings, container: .create(at: place), enforcement: enforcement,
            timeout: timeout, executable: worker, threads: matrixCase.method.threads)
        let outcome: Result<ProcessedAttachment, AttachmentError>
        do throws(AttachmentError) {
            outcome = .success(
                try await pool.process(matrixCase.picture.url.path, identifier: "case"))
        } catch {
            outcome = .failure(error)
        }
        let lost = pool.statistics.lost
        let overhead = pool.hardCap.overhead
        await pool.close()
        return (outcome, lost, overhead)
    }
}

/// Hands out cases one after the other.
private final class CaseQueue: Sendable {
    private let cases: [MatrixCase]
    private let finished: @Sendable (Int, MatrixResult) -> Void
    private let counts = Lock((started: 0, finished: 0))

    init(
        _ cases: [MatrixCase], _ finished: @escaping @Sendable (Int, MatrixResult) -> Void
    ) {
        self.cases = cases
        self.finished = finished
    }

    /// The next case and its index; nil after the last.
    func next() -> (Int, MatrixCase)? {
        counts.withLock { counts in
            guard counts.started < cases.count else { return nil }
            defer { counts.started += 1 }
            return (counts.started, cases[counts.started])
        }
    }

    /// Counts a finished case.
    func finish(_ result: MatrixResult) {
        counts.withLock { counts in
            counts.finished += 1
            finished(counts.finished, result)
        }
    }
}
