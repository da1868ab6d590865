import ArgumentParser
import BenchmarkMeasuring
import Foundation

/// Compares the cost of one picture of each format with libvips.
struct Formats: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the cost of each format against libvips of PyPI and of the system.",
        discussion: """
            Copies of every picture of 12 megapixels go through one process of thimble (the whole \
            job), one of libvips of PyPI and one of vipsthumbnail (the expanded size alone), in \
            turn.

            EXAMPLES
              make bench-corpus bench-python && .build/release/throughput-benchmark formats
              .build/release/throughput-benchmark formats --rounds 9 --write --check
              .build/release/throughput-benchmark formats --filter webp --rounds 1
            """)

    @Option(help: "The folder of bench/corpus/make_corpus.py.", completion: .directory)
    var corpus = ".build/bench-corpus"

    @Option(help: "The thimble to measure; by default the one beside this program.")
    var thimble: String?

    @Option(help: "A Python with the packages of bench/python.txt.")
    var python = ".build/python/bin/python"

    @Option(help: "Measured rounds, after a warm-up round.")
    var rounds = 5

    @Option(help: "Copies of a picture in each process.")
    var copies = 4

    @Option(help: "Only pictures whose file name contains this.")
    var filter = ""

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @Flag(help: "Also write the table to bench/results/formats.md.")
    var write = false

    @Flag(help: "Exit with code 1 if a format is not within its bounds.")
    var check = false

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds must be at least 1.") }
        guard 1...99 ~= copies else { throw ValidationError("--copies must be from 1 to 99.") }
        guard !pictures.isEmpty else {
            throw ValidationError("No file name contains “\(filter)”.")
        }
    }

    private var pictures: [FormatPicture] {
        FormatPicture.all.filter { filter.isEmpty || $0.file.contains(filter) }
    }

    func run() throws {
        let program = try ProductUnderTest.thimble(thimble)
        let measurements = try FormatTournament(
            pictures: pictures, corpus: URL(fileURLWithPath: corpus, isDirectory: true),
            thimble: program, tools: PeerTools(python: URL(fileURLWithPath: python)),
            scratch: BenchmarkSubject.work.appending(path: "formats", directoryHint: .isDirectory),
            copies: copies
        ).run(rounds: rounds)
        let machine = try Machine(programs: [ChildProcess(program.path, "--version")])
        let text = measurements.markdown + "\n\n" + machine.text
        print(json ? try measurements.json() : text)
        if write { try ResultPage.write(text, under: "Formats", in: "formats.md") }
        if check, !measurements.isWithinBounds { throw ExitCode(1) }
    }
}
