import ArgumentParser
import AttachmentWorker
import BenchmarkMeasuring
import CapMatrix
import Foundation
import Randomness
import Synchronization

/// Runs the cap matrix, all of it or a sample, and says what breaks the cap or its prediction.
@main
struct Matrix: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cap-matrix",
        abstract: "Process every combination of picture, options and cap, and check the peaks.",
        discussion: """
            A case is a picture (format, coding, depth, alpha) in an orientation, with a crop, a byte \
            ceiling, a colour space, a width, a cap and what enforces it. Each must end as a rendition \
            with measured <= predicted <= 2 x measured + 2 MB, or as a refusal that the plan foretells, \
            and lose no worker. Exit code 1 says that one did not.

            EXAMPLES
              cap-matrix .build/matrix
              cap-matrix .build/matrix --count 2000 --seed 7
              cap-matrix .build/matrix --filter jpeg --filter 12MiB --filter rlimit
              cap-matrix .build/matrix --pairwise
            """)

    @Argument(help: "The pictures: what bench/matrix/make_pictures.py made.")
    var pictures: String

    @Option(
        help: "A word that a case must have, such as heic-grid, 24MiB or cgroup; may be repeated.")
    var filter: [String] = []

    @Option(help: "How many cases, drawn at random; 0 for all.")
    var count = 0

    @Option(help: "Determines which cases are drawn.")
    var seed: UInt64 = 1

    @Flag(help: "Only as many cases as have every pair of values: the selection of make test.")
    var pairwise = false

    @Option(help: "How many workers run at a time.")
    var jobs = 2

    @Flag(help: "Print a line for each case.")
    var verbose = false

    func run() async throws {
        let available = MatrixFactors.availableEnforcements
        if available == [.rlimit] {
            print("no control groups here: only RLIMIT_DATA is tried")
        }
        let factors = try MatrixFactors(
            picturesIn: URL(fileURLWithPath: pictures), enforcements: available)
        var random = SplitMix64(seed: seed)
        var cases = (pairwise ? factors.pairwise(seed: seed) : factors.all).filter { candidate in
            let words = "\(candidate)".split(separator: " ")
            return filter.allSatisfy { wanted in words.contains { $0.hasPrefix(wanted) } }
        }
        if count > 0 { cases = Array(cases.shuffled(using: &random).prefix(count)) }
        guard let first = cases.first else {
            throw ValidationError(
                "no case in \(pictures) has all of: \(filter.joined(separator: " "))")
        }
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-matrix-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let run = try await MatrixRun(in: folder, first: first)
        let progress = Mutex(ProgressLine(total: cases.count))
        let results = try await run.results(of: cases, jobs: jobs) { finished in
            progress.withLock { $0.show(finished) }
        }
        progress.withLock { $0.erase() }
        let report = MatrixReport(results)
        if verbose { print(report.lines.joined(separator: "\n")) }
        print(report)
        guard report.findings.isEmpty else { throw ExitCode.failure }
    }
}
