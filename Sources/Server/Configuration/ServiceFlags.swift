package import ArgumentParser

/// The options of the command line, as text; ``ServiceOption`` has their names, help and ranges.
package struct ServiceFlags: ParsableArguments {
    @Option(.host) package var host: String?
    @Option(.port) package var port: String?
    @Option(.operationsHost) package var operationsHost: String?
    @Option(.operationsPort) package var operationsPort: String?
    @Option(.tokens) package var tokens: String?
    @Option(.serverName) package var serverName: String?

    @Option(.container) package var container: String?
    @Option(.allowRoot) package var allowRoot: String?
    @Option(.payloadStyle) package var payloadStyle: String?
    @Option(.payloadLimit) package var payloadLimit: String?
    @Option(.note) package var note: String?
    @Option(.noteKey) package var noteKey: String?
    @Option(.manifestPerNotification) package var manifestPerNotification: String?
    @Option(.profile) package var profile: String?
    @Option(.profileOptions) package var profileOptions: String?

    @Option(.page) package var page: String?
    @Option(.maxTrials) package var maxTrials: String?

    @Option(.fetch) package var fetch: String?
    @Option(.allowNetwork) package var allowNetwork: String?
    @Option(.allowHost) package var allowHost: String?
    @Option(.allowPort) package var allowPort: String?
    @Option(.allowHttp) package var allowHttp: String?
    @Option(.fetchHeaders) package var fetchHeaders: String?
    @Option(.caFile) package var caFile: String?
    @Option(.proxyFromEnvironment) package var proxyFromEnvironment: String?
    @Option(.maxFetchBytes) package var maxFetchBytes: String?
    @Option(.fetchTimeout) package var fetchTimeout: String?
    @Option(.connectTimeout) package var connectTimeout: String?
    @Option(.maxFetches) package var maxFetches: String?
    @Option(.maxFetchCache) package var maxFetchCache: String?

    @Option(.publish) package var publish: String?
    @Option(.publishURL) package var publishUrl: String?
    @Option(.s3Endpoint) package var s3Endpoint: String?
    @Option(.s3Region) package var s3Region: String?
    @Option(.s3PathStyle) package var s3PathStyle: String?
    @Option(.publishMode) package var publishMode: String?

    @Option(.pruneInterval) package var pruneInterval: String?
    @Option(.maxTotal) package var maxTotal: String?
    @Option(.maxDays) package var maxDays: String?
    @Option(.maxCount) package var maxCount: String?
    @Option(.keepPublished) package var keepPublished: String?
    @Option(.prunePublished) package var prunePublished: String?

    @Option(.broker) package var broker: String?
    @Option(.queuePrefix) package var queuePrefix: String?
    @Option(.maxJobs) package var maxJobs: String?
    @Option(.fleet) package var fleet: String?

    @Option(.maxPayloadBytes) package var maxPayloadBytes: String?
    @Option(.maxUploadBytes) package var maxUploadBytes: String?
    @Option(.maxQueue) package var maxQueue: String?
    @Option(.maxQueueBytes) package var maxQueueBytes: String?
    @Option(.maxUploads) package var maxUploads: String?
    @Option(.maxStreams) package var maxStreams: String?
    @Option(.maxConnections) package var maxConnections: String?
    @Option(.maxHeaderBytes) package var maxHeaderBytes: String?

    @Option(.deadline) package var deadline: String?
    @Option(.maxDeadline) package var maxDeadline: String?
    @Option(.headerTimeout) package var headerTimeout: String?
    @Option(.bodyTimeout) package var bodyTimeout: String?
    @Option(.idleTimeout) package var idleTimeout: String?
    @Option(.grace) package var grace: String?

    @Option(.cap) package var cap: String?
    @Option(.preset) package var preset: [String]
    @Option(.width) package var width: String?
    @Option(.scale) package var scale: String?
    @Option(.renderBudget) package var renderBudget: String?
    @Option(.quality) package var quality: String?
    @Option(.maxBytes) package var maxBytes: String?

    @Option(.jobs) package var jobs: String?
    @Option(.timeout) package var timeout: String?
    @Option(.enforce) package var enforce: String?
    @Option(.sandbox) package var sandbox: String?
    @Option(.logLevel) package var logLevel: String?
    @Option(.logURLs) package var logURLs: String?

    @Option(help: ArgumentHelp("Configuration file, JSON.", valueName: "file"))
    package var config: String?

    package init() {}

    /// All values of an option that may be repeated; nil without one.
    var presetNames: String? { preset.isEmpty ? nil : preset.joined(separator: ",") }
}

extension Option where Value == [String] {
    fileprivate init(_ option: ServiceOption) {
        self.init(
            wrappedValue: [], name: .customLong(option.name), parsing: .singleValue,
            help: option.help)
    }
}

extension Option where Value == String? {
    fileprivate init(_ option: ServiceOption) {
        self.init(name: .customLong(option.name), help: option.help)
    }
}
