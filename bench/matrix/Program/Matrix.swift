import AttachmentContainer
import ArgumentParser
import AttachmentModel
import AttachmentWorker
import BenchmarkMeasuring
import CapMatrix
import Dispatch
import Foundation
import Randomness

/// Runs the cap matrix, or a sample of it, and reports broken promises.
@main
struct Matrix: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cap-matrix",
        abstract: "Process every combination of picture, options and cap, and check the peaks.",
        discussion: """
            A case is a picture (format, coding, depth, alpha) in an orientation, with a crop, a byte \
            ceiling, a colour space, a width, one or two threads, a cap and its enforcement. It passes \
            with a rendition and measured <= predicted <= 2 x measured + 2 MB, or with a refusal that the \
            plan foretells. Losing a worker is a finding. Findings are printed at once; after Ctrl-C the \
            report covers the cases so far. The exit code is 1 if there are findings.

            EXAMPLES
              cap-matrix .build/matrix
              cap-matrix .build/matrix --count 2000 --seed 7
              cap-matrix .build/matrix --filter jpeg --filter 12MiB --filter rlimit
              cap-matrix .build/matrix --pairwise
              cap-matrix .build/matrix --pairwise --preset content --preset content,avatar,web-push
            """)

    @Argument(help: "The folder that bench/matrix/make_pictures.py made.")
    var pictures: String

    @Option(
        help: "A word that a case must have, such as heic-grid, 24MiB or cgroup; may be repeated.")
    var filter: [String] = []

    @Option(help: "The number of cases, drawn at random; 0 for all.")
    var count = 0

    @Option(help: "The seed of the selection.")
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "Presets of the renditions, separated by commas; each selection multiplies the cases.",
            valueName: "names"))
    var preset: [PresetNames] = [PresetNames(selection: .content)]

    @Flag(help: "Only a selection that covers every pair of values, as in make test.")
    var pairwise = false

    @Option(help: "The number of workers at a time.")
    var jobs = 2

    @Flag(help: "Print a line for each case.")
    var verbose = false

    func run() async throws {
        let available = MatrixFactors.availableEnforcements
        if available == [.rlimit] {
            print("control groups are unavailable: testing only RLIMIT_DATA")
        }
        let factors = try MatrixFactors(
            picturesIn: URL(fileURLWithPath: pictures), enforcements: available,
            presets: preset.map(\.selection))
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
        let progress = Lock(ProgressLine(total: cases.count))
        let selected = cases
        let work = Task {
            try await run.results(of: selected, jobs: jobs) { finished, result in
                progress.withLock { line in
                    if !result.faults.isEmpty {
                        line.erase()
                        FileHandle.standardError.write(Data("finding: \(result)\n".utf8))
                    }
                    line.show(finished)
                }
            }
        }
        signal(SIGINT, SIG_IGN)
        let interruption = DispatchSource.makeSignalSource(signal: SIGINT)
        interruption.setEventHandler { work.cancel() }
        interruption.resume()
        let results = try await work.value
        progress.withLock { $0.erase() }
        let report = MatrixReport(results)
        if verbose { print(report.lines.joined(separator: "\n")) }
        print(report)
        guard report.findings.isEmpty else { throw ExitCode.failure }
    }
}
