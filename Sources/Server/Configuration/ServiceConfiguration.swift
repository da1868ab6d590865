package import AttachmentContainer
import AttachmentFetch
package import AttachmentModel
package import AttachmentWorker
package import NotificationPayload
package import TransferProtocol
package import WorkerProtocol

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
    /// Folders that payloads may name files in; empty allows none.
    package var allowRoot: [String] = []
    package var payloadStyle = PayloadStyle.auto
    /// Maximum size of a payload after the change, in bytes.
    package var payloadLimit = APNsPayload.maximumSize
    /// Adds the note on the pictures to payloads.
    package var note = Answer.yes
    package var noteKey = APNsPayload.notePath
    package var manifestPerNotification = Answer.no
    /// Info.plist files of content extensions.
    package var profile: [String] = []
    /// File of their display settings; empty for the defaults.
    package var profileOptions = ""

    /// Serves a page at `/` to try pictures and payloads on.
    ///
    /// The default is no, so that a service shows nothing that nobody asked for.
    package var page = Answer.no
    /// Folder of the page if only the page is served, as by `try`; nil for the whole service.
    ///
    /// It is no option.
    package var pageSecret: String?
    /// Maximum number of trials at once, each with a worker of its own.
    package var maxTrials = 2

    /// Fetches pictures and attachments that URLs name.
    package var fetch = Answer.yes
    package var allowNetwork: [AddressRange] = []
    package var allowHost: [String] = []
    package var allowPort: [UInt16] = []
    package var allowHttp = Answer.no
    /// File of headers for hosts that need credentials; empty for none.
    package var fetchHeaders = ""
    /// File of certificate authorities; empty for those of the system.
    package var caFile = ""
    package var proxyFromEnvironment = Answer.no
    package var maxFetchBytes = FetchSettings().maximumBytes
    /// Seconds for fetching one file.
    package var fetchTimeout = 20.0
    /// Seconds for one connection.
    package var connectTimeout = 5.0
    package var maxFetches = FetchSettings().maximumTransfers
    package var maxFetchCache = FetchSettings().maximumCacheBytes

    /// Bucket or folder for renditions; empty to publish none.
    package var publish = ""
    /// URL under which the renditions are public: those of the store, or of this service; empty for
    /// the store's own, or to leave locations in payloads unchanged.
    package var publishURL = ""
    package var s3Endpoint = ""
    package var s3Region = ""
    package var s3PathStyle = Choice.auto
    /// Permissions of files in a folder, in octal.
    package var publishMode = "644"

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
    package var prunePublished = Answer.no

    /// URLs of the broker's nodes; empty without a fleet.
    package var broker: [String] = []
    /// Beginning of the names of the fleet's queues.
    package var queuePrefix = "thimble"
    /// Maximum number of jobs in a queue.
    package var maxJobs = 1_000_000
    /// Has attachments processed by the fleet, not by workers of the service.
    package var fleet = Answer.no

    /// Attachments processed at once; 0 for one per core, as far as memory allows.
    package var jobs = 0
    /// Seconds for one payload or attachment, from the request's head to the answer.
    package var deadline = 25.0
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

    package var cap = MemoryCap.serviceExtension
    /// Surfaces of attachments and payloads that name no others.
    package var preset = PresetSelection.content
    package var width = ProcessingSettings().width
    package var scale = ProcessingSettings().scale
    package var renderBudget = ProcessingSettings().renderBudget
    package var quality = ProcessingSettings().quality
    package var maxBytes = ProcessingSettings().maximumBytes
    package var enforce = Enforcement.auto
    package var sandbox = SandboxMode.automatic
    /// Seconds for the work on one attachment, on all rungs together.
    package var timeout = 60.0
    package var logLevel = LogLevel.info
    /// Logs whole URLs; by default they have no user, query and fragment.
    package var logURLs = Answer.no

    package enum LogLevel: String, Sendable, CaseIterable {
        case debug, info, warning, error
    }

    package init() {}

    package enum Answer: String, Sendable, CaseIterable {
        case yes, no
        package var isYes: Bool { self == .yes }
    }

    package enum Choice: String, Sendable, CaseIterable {
        case auto, yes, no
        package var isYes: Bool? { self == .auto ? nil : self == .yes }
    }
}
