import ArgumentParser
import BenchmarkMeasuring
import Foundation

/// Compares the latency of a payload with the time of `vipsthumbnail`.
struct Latency: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the latency of a payload, cold, new and warm.",
        discussion: """
            A payload with a JPEG of 12 megapixels goes through thimble stage: through a new \
            process with a new container (new), through the same with an empty page cache \
            (cold, as root), and through one that has workers already (warm). Beside each stands \
            vipsthumbnail making the expanded size alone. They take turns, so that a busy moment \
            of the machine strikes all.

            EXAMPLES
              .build/release/throughput-benchmark latency
              .build/release/throughput-benchmark latency --rounds 40 --write --check
            """)

    @OptionGroup var subject: BenchmarkSubject

    @Option(help: "Measured rounds, after a warm-up round.")
    var rounds = 20

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @Flag(help: "Also write the table to bench/results/latency.md.")
    var write = false

    @Flag(help: "Exit with code 1 if the ratio is above 0.6 new, 0.5 warm or 1 cold.")
    var check = false

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds must be at least 1.") }
    }

    func run() throws {
        let corpus = try subject.corpus()
        guard let picture = corpus.files.last else { throw ExitCode(1) }
        let program = try subject.program()
        let measurements = try LatencyTournament(
            picture: picture, task: BenchmarkTask(corpus: corpus), thimble: program,
            scratch: BenchmarkSubject.work.appending(path: "latency", directoryHint: .isDirectory)
        ).run(rounds: rounds)
        let text = try measurements.markdown + "\n\n" + subject.machine().text
        print(json ? try measurements.json() : text)
        if write { try ResultPage.write(text, under: "Latency", in: "latency.md") }
        if check, !measurements.isWithinBounds { throw ExitCode(1) }
    }
}
