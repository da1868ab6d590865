import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationPayload

/// All options, in the order of the help.
///
/// The types are explicit because those of ``ServiceFlags`` depend on them.
extension ServiceOption {
    package static let all: [ServiceOption] =
        addresses + content + pages + fetching + publishing + pruning + fleets + limits + timeouts
        + renditions
        + workers

    static let addresses: [ServiceOption] = [
        host, port, operationsHost, operationsPort, tokens, serverName,
    ]
    static let content: [ServiceOption] = [
        container, allowRoot, payloadStyle, payloadLimit, note, noteKey, manifestPerNotification,
        profile, profileOptions,
    ]
    static let limits: [ServiceOption] = [
        maxPayloadBytes, maxUploadBytes, maxQueue, maxQueueBytes, maxUploads, maxStreams,
        maxConnections, maxHeaderBytes,
    ]
    static let timeouts: [ServiceOption] = [
        deadline, maxDeadline, headerTimeout, bodyTimeout, idleTimeout, grace,
    ]
    static let renditions: [ServiceOption] = [
        cap, preset, width, scale, renderBudget, quality, maxBytes,
    ]
    static let workers: [ServiceOption] = [
        jobs, timeout, enforce, sandbox, logLevel, logURLs,
    ]

    static let host: ServiceOption = .text(
        "host", \.host, \.host, "an address", "Address of the service.", valueName: "address")
    static let port: ServiceOption = .count(
        "port", \.port, \.port, 0...65535, "Port of the service; 0 takes a free one.")
    static let operationsHost: ServiceOption = .text(
        "operations-host", \.operationsHost, \.operationsHost, "an address",
        "Address of health and metrics.", valueName: "address")
    static let operationsPort: ServiceOption = .count(
        "operations-port", \.operationsPort, \.operationsPort, 0...65535,
        "Port of health and metrics; 0 takes a free one.")
    static let tokens: ServiceOption = .text(
        "tokens", \.tokens, \.tokens, "a file that others cannot read",
        "File of bearer tokens, one per line, read again on SIGHUP.", valueName: "file")
    static let serverName: ServiceOption = .list(
        "server-name", \.serverName, \.serverName, separator: ",", "names of hosts",
        "Names of the service, besides its address, localhost and the host of publish-url; without "
            + "tokens, and for the page, requests with other names are refused.",
        valueName: "names"
    ) { $0.isEmpty ? nil : $0.lowercased() }

    static let container: ServiceOption = .text(
        "container", \.container, \.container, "the folder of a container",
        "Folder that renditions are published in; created if missing.", valueName: "folder")
    static let allowRoot: ServiceOption = .list(
        "allow-root", \.allowRoot, \.allowRoot, separator: ":", "folders",
        "Folders that payloads may name files in, separated by colons.", valueName: "folders"
    ) { $0 }

    static let maxPayloadBytes: ServiceOption = .bytes(
        "max-payload-bytes", \.maxPayloadBytes, \.maxPayloadBytes,
        ByteCount(1000)...ByteCount.mebibytes(16), "Maximum size of a payload in a request.")
    static let maxUploadBytes: ServiceOption = .bytes(
        "max-upload-bytes", \.maxUploadBytes, \.maxUploadBytes,
        ByteCount(1)...ByteCount(2_000_000_000), "Maximum size of an uploaded attachment.")
    static let maxQueue: ServiceOption = .count(
        "max-queue", \.maxQueue, \.maxQueue, 1...100_000,
        "Maximum number of waiting attachments; more are answered with 429.")
    static let maxQueueBytes: ServiceOption = .bytes(
        "max-queue-bytes", \.maxQueueBytes, \.maxQueueBytes,
        ByteCount.megabytes(1)...ByteCount(1_000_000_000_000),
        "Maximum bytes of waiting attachments, on disk.")
    static let maxUploads: ServiceOption = .count(
        "max-uploads", \.maxUploads, \.maxUploads, 1...10_000,
        "Maximum number of attachments that are being received.")
    static let maxStreams: ServiceOption = .count(
        "max-streams", \.maxStreams, \.maxStreams, 1...10_000,
        "Maximum number of streams of payloads at once.")
    static let maxConnections: ServiceOption = .count(
        "max-connections", \.maxConnections, \.maxConnections, 1...100_000,
        "Maximum number of connections; further ones are answered with 429 and closed.")
    static let maxHeaderBytes: ServiceOption = .bytes(
        "max-header-bytes", \.maxHeaderBytes, \.maxHeaderBytes,
        ByteCount(1 << 10)...ByteCount(1 << 20), "Maximum size of a request's head.")

    static let deadline: ServiceOption = .number(
        "deadline", \.deadline, \.deadline, 0.01...3600, unit: "seconds",
        "Time for one payload or attachment.")
    static let maxDeadline: ServiceOption = .number(
        "max-deadline", \.maxDeadline, \.maxDeadline, 0.01...3600, unit: "seconds",
        "Longest deadline that a request may ask for.")
    static let headerTimeout: ServiceOption = .number(
        "header-timeout", \.headerTimeout, \.headerTimeout, 0.1...600, unit: "seconds",
        "Time for the head of a connection's first request.")
    static let bodyTimeout: ServiceOption = .number(
        "body-timeout", \.bodyTimeout, \.bodyTimeout, 0.1...600, unit: "seconds",
        "Time without progress of a body, in either direction.")
    static let idleTimeout: ServiceOption = .number(
        "idle-timeout", \.idleTimeout, \.idleTimeout, 0.1...3600, unit: "seconds",
        "Time between two requests of a connection.")
    static let grace: ServiceOption = .number(
        "grace", \.grace, \.grace, 0.5...3600, unit: "seconds",
        "Time from SIGTERM to the end of the process.")

    static let cap: ServiceOption = ServiceOption(
        "cap", \.cap, \.cap, "a number of bytes, service-extension or legacy-service-extension",
        "Footprint that a worker must never reach.", valueName: "bytes",
        parse: { MemoryCap(parsing: $0).flatMap { $0.footprint.bytes > 0 ? $0 : nil } },
        show: { $0.description.filter { $0 != " " } })
    static let preset: ServiceOption = {
        var option = ServiceOption(
            "preset", \.presetNames, \.preset,
            "one of \(Preset.names), or several with commas; cap takes the names of caps",
            "Surface to make renditions for, all from one decoding; may be repeated.",
            valueName: "name", parse: { PresetSelection(parsing: $0) })
        option.separator = ","
        return option
    }()
    static let width: ServiceOption = .number(
        "width", \.width, \.width, 1...10_000, unit: "points",
        "Width of the content extension's view.")
    static let scale: ServiceOption = .number(
        "scale", \.scale, \.scale, 0.5...10, unit: "pixels", "Pixels per point.")
    static let renderBudget: ServiceOption = .bytes(
        "render-budget", \.renderBudget, \.renderBudget, ByteCount(4)...ByteCount(1 << 40),
        "Limit on the decoded bytes of the expanded rendition.")
    static let quality: ServiceOption = .count(
        "quality", \.quality, \.quality, 1...100, "Initial JPEG quality.")
    static let maxBytes: ServiceOption = .bytes(
        "max-bytes", \.maxBytes, \.maxBytes, ByteCount(1)...ByteCount(1 << 40),
        "Maximum file size of a rendition.")

    static let jobs: ServiceOption = ServiceOption(
        "jobs", \.jobs, \.jobs, "auto, or from 1 to 1024", "Attachments processed at once.",
        valueName: "number",
        parse: { $0 == "auto" ? 0 : Int($0).flatMap { 1...1024 ~= $0 ? $0 : nil } },
        show: { $0 == 0 ? "auto" : "\($0)" })
    static let timeout: ServiceOption = .number(
        "timeout", \.timeout, \.timeout, 0.001...86_400, unit: "seconds",
        "Time for the work on one attachment, on all rungs together.")
    static let enforce: ServiceOption = .choice(
        "enforce", \.enforce, \.enforce, "Mechanism that enforces the cap.")
    static let sandbox: ServiceOption = .choice(
        "sandbox", \.sandbox, \.sandbox, "Sandbox of the workers.")
    static let logLevel: ServiceOption = .choice(
        "log-level", \.logLevel, \.logLevel, "Least severe message to log.")
    static let logURLs: ServiceOption = .choice(
        "log-urls", \.logURLs, \.logURLs,
        "Whole URLs in messages and the log, with user, query and fragment.")
}
