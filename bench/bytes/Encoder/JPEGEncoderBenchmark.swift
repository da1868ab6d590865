import ArgumentParser

/// The encoder of JPEG alone, for `make bytes`.
@main
struct JPEGEncoderBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jpeg-encoder-benchmark",
        abstract: "Encode a picture, score two pictures, or measure the cost of encoding one.",
        subcommands: [Encode.self, Score.self, Cost.self])
}
