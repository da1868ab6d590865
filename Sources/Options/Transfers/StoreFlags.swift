public import ArgumentParser

/// The options of publishing on the command line, as text; ``StoreOption`` declares them.
public struct StoreFlags: ParsableArguments, Sendable {
    @Option(StoreOption.publish) package var publish: String?
    @Option(StoreOption.publishURL) package var publishURL: String?
    @OptionGroup package var access: StoreAccessFlags

    /// Creates flags without values.
    public init() {}
}

/// The options of the connection to a store on the command line, as text.
public struct StoreAccessFlags: ParsableArguments, Sendable {
    @Option(StoreOption.s3Endpoint) package var s3Endpoint: String?
    @Option(StoreOption.s3Region) package var s3Region: String?
    @Flag(StoreOption.s3PathStyle) package var s3PathStyle: Bool?
    @Option(StoreOption.s3CAFile) package var s3CAFile: String?
    @Option(StoreOption.publishMode) package var publishMode: String?

    /// Creates flags without values.
    public init() {}
}
