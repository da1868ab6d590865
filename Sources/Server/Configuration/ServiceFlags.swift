package import ArgumentParser
package import ThimbleOptions

/// The options of the command line, as text; ``ServiceOption`` has their names, help and ranges.
package struct ServiceFlags: ParsableArguments, Sendable {
    @Option(ServiceOption.host) package var host: String?
    @Option(ServiceOption.port) package var port: String?
    @Option(ServiceOption.operationsHost) package var operationsHost: String?
    @Option(ServiceOption.operationsPort) package var operationsPort: String?
    @Option(ServiceOption.tokens) package var tokens: String?
    @Option(ServiceOption.serverName) package var serverName: [String]

    @Option(ServiceOption.container) package var container: String?
    @OptionGroup(title: "Payloads") package var payloads: PayloadFlags

    @Flag(ServiceOption.page) package var page: Bool?
    @Option(ServiceOption.maxTrials) package var maxTrials: String?

    @OptionGroup(title: "Fetching") package var fetching: FetchFlags
    @OptionGroup(title: "Publishing") package var publishing: StoreFlags

    @Option(ServiceOption.pruneInterval) package var pruneInterval: String?
    @Option(ServiceOption.maxTotal) package var maxTotal: String?
    @Option(ServiceOption.maxDays) package var maxDays: String?
    @Option(ServiceOption.maxCount) package var maxCount: String?
    @Option(ServiceOption.keepPublished) package var keepPublished: String?
    @Flag(ServiceOption.prunePublished) package var prunePublished: Bool?

    @Option(ServiceOption.broker) package var broker: [String]
    @Option(ServiceOption.queuePrefix) package var queuePrefix: String?
    @Option(ServiceOption.maxJobs) package var maxJobs: String?
    @Flag(ServiceOption.fleet) package var fleet: Bool?

    @Option(ServiceOption.maxPayloadBytes) package var maxPayloadBytes: String?
    @Option(ServiceOption.maxUploadBytes) package var maxUploadBytes: String?
    @Option(ServiceOption.maxQueue) package var maxQueue: String?
    @Option(ServiceOption.maxQueueBytes) package var maxQueueBytes: String?
    @Option(ServiceOption.maxUploads) package var maxUploads: String?
    @Option(ServiceOption.maxStreams) package var maxStreams: String?
    @Option(ServiceOption.maxConnections) package var maxConnections: String?
    @Option(ServiceOption.maxHeaderBytes) package var maxHeaderBytes: String?

    @Option(ServiceOption.maxDeadline) package var maxDeadline: String?
    @Option(ServiceOption.headerTimeout) package var headerTimeout: String?
    @Option(ServiceOption.bodyTimeout) package var bodyTimeout: String?
    @Option(ServiceOption.idleTimeout) package var idleTimeout: String?
    @Option(ServiceOption.grace) package var grace: String?

    @OptionGroup(title: "Renditions") package var renditions: RenditionFlags

    @Option(ServiceOption.jobs) package var jobs: String?
    @OptionGroup(title: "Workers") package var workers: WorkerFlags
    @Option(ServiceOption.logLevel) package var logLevel: String?
    @OptionGroup package var logging: LoggingFlags

    @Option(help: ArgumentHelp("Configuration file, JSON.", valueName: "file"))
    package var config: String?

    package init() {}
}
