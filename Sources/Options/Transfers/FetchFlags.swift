public import ArgumentParser

/// The options of fetching on the command line, as text; ``FetchOption`` declares them.
public struct FetchFlags: ParsableArguments, Sendable {
    @Option(FetchOption.allowNetwork) package var allowNetwork: [String]
    @Option(FetchOption.allowHost) package var allowHost: [String]
    @Option(FetchOption.allowPort) package var allowPort: [String]
    @Flag(FetchOption.allowHttp) package var allowHttp: Bool?
    @Option(FetchOption.fetchHeaders) package var fetchHeaders: String?
    @Option(FetchOption.caFile) package var caFile: String?
    @Flag(FetchOption.proxyFromEnvironment) package var proxyFromEnvironment: Bool?
    @Option(FetchOption.maxFetchBytes) package var maxFetchBytes: String?
    @Option(FetchOption.fetchTimeout) package var fetchTimeout: String?
    @Option(FetchOption.connectTimeout) package var connectTimeout: String?
    @Option(FetchOption.maxFetches) package var maxFetches: String?
    @Option(FetchOption.maxFetchCache) package var maxFetchCache: String?

    /// Creates flags without values.
    public init() {}
}
