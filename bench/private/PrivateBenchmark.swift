import ArgumentParser

/// Compares the delivery of encrypted pictures with the delivery of the same pictures in the clear.
@main
struct PrivateBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "private-benchmark",
        abstract: "Measure deliveries of encrypted pictures beside the same pictures in the clear.",
        subcommands: [Compare.self, Deliver.self], defaultSubcommand: Compare.self)
}
