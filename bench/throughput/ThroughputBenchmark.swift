import ArgumentParser

/// Compares the cost of an attachment with the cost of other programs that do less.
@main
struct ThroughputBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "throughput-benchmark",
        abstract: "Measure the speed of thimble beside vipsthumbnail and libjpeg-turbo.",
        discussion: """
            Needs the tools of libvips and of libjpeg-turbo: \
            apt-get install libvips-tools libjpeg-turbo-progs
            """,
        subcommands: [Throughput.self, Formats.self, Latency.self],
        defaultSubcommand: Throughput.self)
}
