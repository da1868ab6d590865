import ArgumentParser
import BenchmarkMeasuring
import Foundation

/// Compares the cost of one picture of each format with `vipsthumbnail`.
struct Formats: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the cost of each format against vipsthumbnail.",
        discussion: """
            Every picture of 12 megapixels goes through a new process of thimble (the whole job) \
            and one of vipsthumbnail (the expanded size alone), in turn.

            EXAMPLES
              make bench-corpus && .build/release/throughput-benchmark formats
              .build/release/throughput-benchmark formats --rounds 9 --write --check
            """)

    @Option(help: "The folder of bench/corpus/make_corpus.py.", completion: .directory)
    var corpus = ".build/bench-corpus"

    @Option(help: "The thimble to measure; by default the one beside this program.")
    var thimble: String?

    @Option(help: "Measured rounds, after a warm-up round.")
    var rounds = 5

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @Flag(help: "Also write the table to bench/results/formats.md.")
    var write = false

    @Flag(help: "Exit with code 1 if a ratio of CPU is above 1.0.")
    var check = false

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds must be at least 1.") }
    }

    func run() throws {
        let program = try ProductUnderTest.thimble(thimble)
        let measurements = try FormatTournament(
            corpus: URL(fileURLWithPath: corpus, isDirectory: true), thimble: program,
            scratch: BenchmarkSubject.work.appending(path: "formats", directoryHint: .isDirectory)
        ).run(rounds: rounds)
        let machine = try Machine(programs: [
            ChildProcess(program.path, "--version"), ChildProcess("vips", "--version"),
        ])
        let text = measurements.markdown + "\n\n" + machine.text
        print(json ? try measurements.json() : text)
        if write { try ResultPage.write(text, under: "Formats", in: "formats.md") }
        if check, !measurements.isWithinBounds { throw ExitCode(1) }
    }
}
