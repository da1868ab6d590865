public import AttachmentContainer

/// A failure to download an attachment, with the reason and the remedy.
///
/// A URL may carry a token or reveal a notification's content, so no error contains one.
public struct DownloadError: FaultConvertible, Sendable, Hashable {
    /// The kind of failure, stable across releases.
    public let code: Code
    /// The fault, in a sentence without its full stop.
    public let reason: String
    /// The system's own text, for logs; empty for faults found by this module.
    public let detail: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - reason: The fault, in a sentence without its full stop.
    ///   - detail: The system's own text. The default is empty.
    public init(_ code: Code, reason: String, detail: String = "") {
        self.code = code
        self.reason = reason
        self.detail = detail
    }
}

extension DownloadError {
    /// The kinds of failure.
    ///
    /// The raw values appear in delivery reasons.
    public enum Code: String, Sendable, CaseIterable {
        /// The URL's scheme is not `https`, or a redirection would send a body to another server.
        case insecure = "download-insecure"
        /// The request has a character that HTTP does not allow.
        case invalid = "download-invalid"
        /// The server answered with an error status.
        case refused = "download-refused"
        /// The server answered until the deadline that the picture is not ready.
        case notReady = "download-not-ready"
        /// The app's own source failed.
        case source = "download-source"
        /// The file is empty.
        case empty = "download-empty"
        /// The file is longer than the limit.
        case tooLarge = "download-too-large"
        /// The server could not be reached, or the connection was lost.
        case unreachable = "download-unreachable"
        /// The deadline passed.
        case late = "download-late"
        /// The file could not be stored.
        case storage = "download-storage"
        /// The caller cancelled the download.
        case cancelled = "download-cancelled"
    }
}

extension DownloadError.Code: FaultCode {
    package static let domain = Fault.Domain.download

    /// A remedy for the caller, in a sentence without its full stop.
    public var remedy: String {
        switch self {
        case .insecure:
            "use a URL that begins with https://, and does not redirect a body to another server"
        case .invalid:
            "use letters, digits and hyphens in method and names of header fields, and no line breaks in "
                + "values"
        case .notReady: "send the notification once the picture is ready"
        case .source: "see the error of the app's own source"
        case .refused, .empty: "check that the URL answers with the file, without a log-in"
        case .tooLarge: "send a smaller file, or raise maximumBytes"
        case .unreachable: "check the server's name and certificate"
        case .late: "send a smaller file, or serve it from a nearer server"
        case .storage: "check the container folder's free space and permissions"
        case .cancelled: "download the file again when there is time"
        }
    }
}

extension DownloadError {
    static let empty = DownloadError(.empty, reason: "the file is empty")
    static func tooLarge(_ limit: ByteCount) -> DownloadError {
        DownloadError(.tooLarge, reason: "the file is longer than \(limit)")
    }
    static let late = DownloadError(.late, reason: "the download did not finish in time")
    static let cancelled = DownloadError(.cancelled, reason: "the download was cancelled")
}

extension DownloadError {
    /// The failure without the system's text.
    public var fault: Fault { code.fault(reason: reason) }

    /// Reason and remedy, in one line.
    public var description: String { "\(reason); \(code.remedy)" }

    /// The description with the code and the system's own text, for logs.
    public var detailedDescription: String {
        detail.isEmpty
            ? "[\(code.rawValue)] \(description)"
            : "[\(code.rawValue)] \(description) (\(detail))"
    }
}
