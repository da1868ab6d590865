import AttachmentFetch
import AttachmentModel
import AttachmentStore
import NotificationDelivery
import NotificationStaging

/// Failure to fetch, to process or to publish an attachment, with the remedy and the command's options for it.
struct SourceFailure: Error, Sendable {
    let code: String
    /// The file, or the host of its URL.
    let name: String
    let reason: String
    let remedy: String

    init(_ error: AttachmentError) {
        code = error.code.rawValue
        name = error.file
        reason = error.reason
        remedy = error.code.remedyWithOptions
    }

    init(_ error: FetchError) {
        code = error.code.rawValue
        name = error.host.isEmpty ? "URL" : error.host
        reason = error.reason
        remedy = error.code.remedyWithOptions
    }

    init(_ reason: DeliveryReason, name: String) {
        code = reason.code.rawValue
        self.name = name
        self.reason = reason.message
        remedy = reason.remedyWithOptions
    }

    var isCancellation: Bool {
        code == AttachmentError.Code.cancelled.rawValue
            || DeliveryReason.Code(rawValue: code).ofStore == .cancelled
    }

    /// Name, reason and remedy, in one line.
    var message: String { "\(name): \(reason); \(remedy)" }
}

extension FetchError.Code {
    /// The remedy with the options that change the limit or the rule.
    var remedyWithOptions: String {
        options.isEmpty ? remedy : "\(remedy) (\(options.joined(separator: ", ")))"
    }

    private var options: [String] {
        switch self {
        case .refusedScheme: ["--allow-http"]
        case .refusedAddress: ["--allow-host", "--allow-network"]
        case .refusedPort: ["--allow-port"]
        case .tls: ["--ca-file"]
        case .tooLarge: ["--max-fetch-bytes"]
        case .late: ["--fetch-timeout"]
        case .unreachable: ["--connect-timeout"]
        case .invalidURL, .tooManyRedirects, .status, .encoded, .empty, .incomplete, .malformed,
            .tooSlow, .storage, .cancelled, .fetcherLost:
            []
        }
    }
}
