import ArgumentParser

/// Compares what an attachment costs with what other programs take for less.
@main
struct ThroughputBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "throughput-benchmark",
        abstract: "Measure the speed of thimble beside vipsthumbnail and libjpeg-turbo.",
        discussion: """
            Needs the tools of libvips and of libjpeg-turbo: \
            apt-get install libvips-tools libjpeg-turbo-progs
            """,
        subcommands: [Throughput.self, Latency.self], defaultSubcommand: Throughput.self)
}
