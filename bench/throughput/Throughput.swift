import ArgumentParser
import BenchmarkMeasuring
import Foundation

/// Compares the cost of an attachment with `vipsthumbnail` and libjpeg-turbo alone.
struct Throughput: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the cost of an attachment against vipsthumbnail and libjpeg-turbo.",
        discussion: """
            The whole job of thimble (both renditions, digests, placeholder, manifest, durable \
            writes) stands against vipsthumbnail making the expanded size alone. Contenders take \
            turns, so that a busy moment of the machine strikes both.

            EXAMPLES
              .build/release/throughput-benchmark
              .build/release/throughput-benchmark --photographs ~/Photos --rounds 9 --write
            """)

    @OptionGroup var subject: BenchmarkSubject

    @Option(help: "Measured rounds, after a warm-up round.")
    var rounds = 5

    @Option(
        help: "A Python with the packages of bench/python.txt; peers that it lacks are skipped.")
    var python = ".build/python/bin/python"

    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @Flag(help: "Also write the table to bench/results/throughput.md.")
    var write = false

    @Flag(help: "Exit with code 1 if a ratio to vipsthumbnail is above 1.0.")
    var check = false

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds must be at least 1.") }
    }

    func run() throws {
        let program = try subject.program()
        let task = BenchmarkTask(corpus: try subject.corpus())
        let tools = PeerTools(python: URL(fileURLWithPath: python))
        let measurements = try Tournament(
            task: task, thimble: program, peers: Peer.all(task, tools: tools),
            scratch: BenchmarkSubject.work.appendingPathComponent("scratch", isDirectory: true)
        ).run(rounds: rounds)
        let report = BenchmarkReport(
            measurements: measurements, machine: try subject.machine())
        print(json ? try report.json() : report.markdown)
        if write {
            try ResultPage.write(report.markdown, under: "Throughput", in: "throughput.md")
        }
        if check, !measurements.isWithinBounds { throw ExitCode(1) }
    }
}
