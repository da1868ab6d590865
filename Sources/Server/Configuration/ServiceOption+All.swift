import AttachmentContainer
import ThimbleOptions

/// All options, in the order of the help.
///
/// Those of payloads, transfers, renditions and workers are the same as those of `thimble`.
extension ServiceOption {
    package static var all: [ServiceOption] {
        addresses + [container] + payloads + pages + fetching + publishing + pruning + fleets
            + limits + timeouts + renditions + workers
    }

    static var addresses: [ServiceOption] {
        [host, port, operationsHost, operationsPort, tokens, serverName]
    }
    static var payloads: [ServiceOption] {
        PayloadOption.all.map { $0.lifted(from: \.payloads, to: \.payloads) }
    }
    static var fetching: [ServiceOption] {
        FetchOption.all.map { $0.lifted(from: \.fetching, to: \.fetching) }
    }
    static var publishing: [ServiceOption] {
        StoreOption.all.map { $0.lifted(from: \.publishing, to: \.publishing) }
    }
    static var limits: [ServiceOption] {
        [
            maxPayloadBytes, maxUploadBytes, maxQueue, maxQueueBytes, maxUploads, maxStreams,
            maxConnections, maxHeaderBytes,
        ]
    }
    static var timeouts: [ServiceOption] {
        [maxDeadline, headerTimeout, bodyTimeout, idleTimeout, grace]
    }
    static var renditions: [ServiceOption] {
        RenditionOption.all.map { $0.lifted(from: \.renditions, to: \.renditions) }
    }
    static var workers: [ServiceOption] {
        [jobs] + WorkerOption.all.map { $0.lifted(from: \.workers, to: \.workers) }
            + [logLevel]
            + LoggingOption.all.map { $0.lifted(from: \.logging, to: \.logging) }
    }

    static var host: ServiceOption {
        .text(
            "host", \.host, \.host, "an address", "Address of the service.", valueName: "address")
    }
    static var port: ServiceOption {
        .count(
            "port", \.port, \.port, 0...65535, "Port of the service; 0 takes a free one.")
    }
    static var operationsHost: ServiceOption {
        .text(
            "operations-host", \.operationsHost, \.operationsHost, "an address",
            "Address of health and metrics.", valueName: "address")
    }
    static var operationsPort: ServiceOption {
        .count(
            "operations-port", \.operationsPort, \.operationsPort, 0...65535,
            "Port of health and metrics; 0 takes a free one.")
    }
    static var tokens: ServiceOption {
        .text(
            "tokens", \.tokens, \.tokens, "a file that others cannot read",
            "File of bearer tokens, one per line, read again on SIGHUP.", valueName: "file")
    }
    static var serverName: ServiceOption {
        .list(
            "server-name", \.serverName, \.serverName, "names of hosts",
            "Names of the service, besides its address, localhost and the host of publish-url; without "
                + "tokens, and for the page, requests with other names are refused.",
            valueName: "names"
        ) { $0.isEmpty ? nil : $0.lowercased() }
    }

    static var container: ServiceOption {
        .text(
            "container", \.container, \.container, "the folder of a container",
            "Folder that renditions are published in; created if missing.", valueName: "folder")
    }

    static var maxPayloadBytes: ServiceOption {
        .bytes(
            "max-payload-bytes", \.maxPayloadBytes, \.maxPayloadBytes,
            ByteCount(1000)...ByteCount.mebibytes(16), "Maximum size of a payload in a request.")
    }
    static var maxUploadBytes: ServiceOption {
        .bytes(
            "max-upload-bytes", \.maxUploadBytes, \.maxUploadBytes,
            ByteCount(1)...ByteCount(2_000_000_000), "Maximum size of an uploaded attachment.")
    }
    static var maxQueue: ServiceOption {
        .count(
            "max-queue", \.maxQueue, \.maxQueue, 1...100_000,
            "Maximum number of waiting attachments; more are answered with 429.")
    }
    static var maxQueueBytes: ServiceOption {
        .bytes(
            "max-queue-bytes", \.maxQueueBytes, \.maxQueueBytes,
            ByteCount.megabytes(1)...ByteCount(1_000_000_000_000),
            "Maximum bytes of waiting attachments, on disk.")
    }
    static var maxUploads: ServiceOption {
        .count(
            "max-uploads", \.maxUploads, \.maxUploads, 1...10_000,
            "Maximum number of attachments that are being received.")
    }
    static var maxStreams: ServiceOption {
        .count(
            "max-streams", \.maxStreams, \.maxStreams, 1...10_000,
            "Maximum number of streams of payloads at once.")
    }
    static var maxConnections: ServiceOption {
        .count(
            "max-connections", \.maxConnections, \.maxConnections, 1...100_000,
            "Maximum number of connections; further ones are answered with 429 and closed.")
    }
    static var maxHeaderBytes: ServiceOption {
        .bytes(
            "max-header-bytes", \.maxHeaderBytes, \.maxHeaderBytes,
            ByteCount(1 << 10)...ByteCount(1 << 20), "Maximum size of a request's head.")
    }

    static var maxDeadline: ServiceOption {
        .number(
            "max-deadline", \.maxDeadline, \.maxDeadline, 0.01...3600, unit: "seconds",
            "Longest deadline that a request may ask for.")
    }
    static var headerTimeout: ServiceOption {
        .number(
            "header-timeout", \.headerTimeout, \.headerTimeout, 0.1...600, unit: "seconds",
            "Time for the head of a connection's first request.")
    }
    static var bodyTimeout: ServiceOption {
        .number(
            "body-timeout", \.bodyTimeout, \.bodyTimeout, 0.1...600, unit: "seconds",
            "Time without progress of a body, in either direction.")
    }
    static var idleTimeout: ServiceOption {
        .number(
            "idle-timeout", \.idleTimeout, \.idleTimeout, 0.1...3600, unit: "seconds",
            "Time between two requests of a connection.")
    }
    static var grace: ServiceOption {
        .number(
            "grace", \.grace, \.grace, 0.5...3600, unit: "seconds",
            "Time from SIGTERM to the end of the process.")
    }

    static var jobs: ServiceOption { WorkerOption.jobs(\.jobs, \.jobs) }
    static var logLevel: ServiceOption {
        .choice(
            "log-level", \.logLevel, \.logLevel, "Least severe message to log.")
    }
}
