import ArgumentParser
import Foundation

/// Compares what an attachment costs with what `vipsthumbnail` and bare libjpeg-turbo take.
@main
struct ThroughputBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "throughput-benchmark",
        abstract: "Measure the cost of an attachment against vipsthumbnail and libjpeg-turbo.",
        discussion: """
            The whole job of thimble (both renditions, digests, placeholder, manifest, durable \
            writes) stands against vipsthumbnail making the expanded size alone. Contenders take \
            turns, so that a busy moment of the machine strikes both. Needs the tools of libvips \
            and of libjpeg-turbo: apt-get install libvips-tools libjpeg-turbo-progs

            EXAMPLES
              swift run -c release throughput-benchmark
              swift run -c release throughput-benchmark --photographs ~/Photos --rounds 9 --write
            """)

    @Option(help: "Rounds that count, after one of warming up.")
    var rounds = 5

    @Option(help: "Pictures in the corpus.")
    var count = 24

    @Option(
        help: "Folders of photographs that the corpus is cut from; used when it is first made.",
        completion: .directory)
    var photographs = ["Images"]

    @Option(help: "The thimble to measure. The default is the one beside this program.")
    var thimble: String?

    @Flag(help: "Print JSON, not a table.")
    var json = false

    @Flag(help: "Write the table to bench/results/throughput.md as well.")
    var write = false

    @Flag(help: "Exit with code 1 if a ratio to vipsthumbnail is above 1.0.")
    var check = false

    func validate() throws {
        guard rounds >= 1 else { throw ValidationError("--rounds must be at least 1.") }
        guard 2...999 ~= count else { throw ValidationError("--count must be from 2 to 999.") }
    }

    func run() throws {
        let program = try thimbleProgram()
        let work = URL(fileURLWithPath: ".build/throughput", isDirectory: true)
        let corpus = try BenchmarkCorpus(
            count: count,
            photographs: photographs.map { URL(fileURLWithPath: $0, isDirectory: true) },
            cache: work)
        let measurements = try Tournament(
            task: BenchmarkTask(corpus: corpus), thimble: program,
            scratch: work.appendingPathComponent("scratch", isDirectory: true)
        ).run(rounds: rounds)
        let report = BenchmarkReport(
            measurements: measurements, machine: try Machine(thimble: program))
        print(json ? try report.json() : report.markdown)
        if write { try report.write(arguments: Array(CommandLine.arguments.dropFirst())) }
        if check, !measurements.isWithinBounds { throw ExitCode(1) }
    }

    /// The thimble named, else the one that was built beside this program.
    private func thimbleProgram() throws -> URL {
        let beside = Bundle.main.executableURL?.deletingLastPathComponent()
            .appendingPathComponent("thimble")
        guard let url = thimble.map({ URL(fileURLWithPath: $0) }) ?? beside,
            FileManager.default.isExecutableFile(atPath: url.path)
        else {
            throw ValidationError(
                "No thimble at \(thimble ?? beside?.path ?? "?"): "
                    + "build it with swift build -c release --product thimble, or name it with "
                    + "--thimble.")
        }
        return url
    }
}
