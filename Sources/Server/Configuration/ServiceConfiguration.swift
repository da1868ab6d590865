package import AttachmentContainer
package import AttachmentModel
package import ThimbleOptions

/// Configuration of the service.
///
/// Fields have the same names on the command line, in the environment, in the file and here.
package struct ServiceConfiguration: Sendable {
    /// Address of the service.
    package var host = "127.0.0.1"
    /// Port of the service; 0 takes a free one.
    package var port = 8080
    /// Address of health and metrics.
    package var operationsHost = "127.0.0.1"
    /// Port of health and metrics; 0 takes a free one.
    package var operationsPort = 9090
    /// Folder of the container; empty is invalid.
    package var container = ""
    /// File of bearer tokens; empty for no authentication.
    package var tokens = ""
    /// Names of the service, besides addresses and `localhost`; others are refused where no token is
    /// needed.
    package var serverName: [String] = []
    /// Keys, places and time of payloads.
    package var payloads = PayloadChoices()

    /// Serves a page at `/` to try pictures and payloads on.
    ///
    /// The default is no, so that a service shows nothing that nobody asked for.
    package var page = false
    /// Folder of the page if only the page is served, as by `try`; nil for the whole service.
    ///
    /// It is no option.
    package var pageSecret: String?
    /// Maximum number of trials at once, each with a worker of its own.
    package var maxTrials = 2

    package var fetching = FetchChoices()
    /// Without a store, devices fetch renditions from this service, or nothing.
    package var publishing = StoreChoices()

    /// Seconds between two prunings of the container, by any instance; 0 for none.
    package var pruneInterval = 900.0
    /// Limit on the bytes of manifests and renditions; nil for none.
    ///
    /// The default is 10 GiB, a month of 1,000 new pictures a day.
    package var maxTotal: ByteCount? = .mebibytes(10 << 10)
    /// Limit on the age of notifications in days; nil for none.
    package var maxDays: Double? = 30
    /// Limit on the number of notifications; nil for none.
    ///
    /// The default bounds the memory of a pruning to 100 MB.
    package var maxCount: Int? = 100_000
    /// Days for which a rendition is kept after its URL was last given out.
    package var keepPublished = 7.0
    /// Removes objects from the store after that time.
    ///
    /// The default is no: records of other containers that publish to the same store are unknown here.
    package var prunePublished = false

    /// URLs of the broker's nodes; empty without a fleet.
    package var broker: [String] = []
    /// Beginning of the names of the fleet's queues.
    package var queuePrefix = "thimble"
    /// Maximum number of jobs in a queue.
    package var maxJobs = 1_000_000
    /// Has attachments processed by the fleet, not by workers of the service.
    package var fleet = false

    /// Attachments processed at once; 0 for one per core, as far as memory allows.
    package var jobs = 0
    /// Longest deadline that a request may ask for, in seconds.
    package var maxDeadline = 60.0
    /// Maximum size of one payload in a request.
    package var maxPayloadBytes = ByteCount.mebibytes(1)
    /// Maximum size of an uploaded attachment.
    package var maxUploadBytes = ByteCount.megabytes(50)
    /// Maximum number of waiting attachments and payloads; more are answered with 429.
    package var maxQueue = 128
    /// Maximum bytes of waiting attachments and payloads.
    package var maxQueueBytes = ByteCount.megabytes(256)
    /// Maximum number of uploads that are being received.
    package var maxUploads = 64
    /// Maximum number of streams of payloads at once.
    package var maxStreams = 32
    /// Maximum number of connections; requests on further ones are answered with 429.
    package var maxConnections = 1024
    /// Seconds from the start of a connection to the end of the first request's head.
    package var headerTimeout = 10.0
    /// Seconds without a byte of a body, or without room for a byte of an answer.
    package var bodyTimeout = 30.0
    /// Seconds between two requests of a connection.
    package var idleTimeout = 60.0
    /// Maximum size of a request's head.
    package var maxHeaderBytes = ByteCount(16 << 10)
    /// Seconds from SIGTERM to the end of the process.
    package var grace = 25.0

    package var renditions = ProcessingSettings()
    package var workers = WorkerChoices()
    package var logLevel = LogLevel.info
    package var logging = LoggingChoices()

    package enum LogLevel: String, Sendable, CaseIterable {
        case debug, info, warning, error
    }

    package init() {}
}
