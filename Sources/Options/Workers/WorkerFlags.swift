public import ArgumentParser

/// The options of workers on the command line, as text; ``WorkerOption`` declares them.
public struct WorkerFlags: ParsableArguments, Sendable {
    @Option(WorkerOption.enforce) package var enforce: String?
    @Option(WorkerOption.timeout) package var timeout: String?
    @Option(WorkerOption.sandbox) package var sandbox: String?
    @Option(WorkerOption.threads) package var threads: String?

    /// Creates flags without values.
    public init() {}
}
