/// Why an attachment could not be downloaded, with the reason and the remedy.
///
/// A URL may carry a token and tell what a notification is about, so no error repeats one.
public struct DownloadError: Error, Sendable, Hashable {
    /// What kind of failure it is, stable across releases.
    public let code: Code
    /// What was found, in a sentence without its full stop.
    public let reason: String
    /// The system's own text, for logs; empty when the finding is ours.
    public let detail: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it is.
    ///   - reason: What was found, in a sentence without its full stop.
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
    /// The raw values appear in reasons of delivery.
    public enum Code: String, Sendable, CaseIterable {
        /// The URL is no `https`.
        case insecure = "download-insecure"
        /// The server answered, and not with the file.
        case refused = "download-refused"
        /// The file has no bytes.
        case empty = "download-empty"
        /// The file is longer than is taken.
        case tooLarge = "download-too-large"
        /// The server could not be reached, or the connection was lost.
        case unreachable = "download-unreachable"
        /// It was not done in time.
        case late = "download-late"
        /// The file could not be kept.
        case storage = "download-storage"
        /// The caller withdrew the download.
        case cancelled = "download-cancelled"
    }
}

extension DownloadError.Code {
    /// What the caller can do about it, in a sentence without its full stop.
    public var remedy: String {
        switch self {
        case .insecure: "send a URL that begins with https://"
        case .refused, .empty: "check that the URL answers with the file, without a log-in"
        case .tooLarge: "send a smaller file, or raise maximumBytes"
        case .unreachable: "check the server's name and certificate"
        case .late: "send a smaller file, or serve it from nearer"
        case .storage: "check the container folder's free space and permissions"
        case .cancelled: "download the file again when there is time"
        }
    }
}

extension DownloadError {
    /// The time was up.
    static let late = DownloadError(.late, reason: "the download was not done in time")
    /// The caller does not want the file any more.
    static let cancelled = DownloadError(.cancelled, reason: "the download was withdrawn")
}

extension DownloadError: CustomStringConvertible {
    /// Reason and remedy, in one line for a person.
    public var description: String { "\(reason); \(code.remedy)" }

    /// The same with the code and the system's own text, for a log.
    public var detailedDescription: String {
        detail.isEmpty
            ? "[\(code.rawValue)] \(description)"
            : "[\(code.rawValue)] \(description) (\(detail))"
    }
}
