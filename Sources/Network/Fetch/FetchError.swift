public import AttachmentContainer
public import AttachmentModel
import TransferProtocol

/// A failure to fetch a file, with the host, the reason and the remedy.
///
/// A URL may carry a token or reveal a notification's content, so no text contains more of it than
/// the host.
public struct FetchError: FaultConvertible, Sendable, Hashable {
    /// The kind of failure, stable across releases.
    public let code: Code
    /// The host; empty for an invalid URL.
    public let host: String
    /// The failure without its host.
    public let fault: Fault

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - host: The host. The default is empty.
    ///   - reason: The finding, without a full stop.
    ///   - remedy: The action that cures this failure, without a full stop. The default is nil: the
    ///     kind's remedy.
    public init(_ code: Code, host: String = "", reason: String, remedy: String? = nil) {
        self.code = code
        self.host = host
        fault = code.fault(reason: reason, remedy: remedy)
    }

    /// The finding, without a full stop.
    public var reason: String { fault.reason }
}

extension FetchError {
    /// The kinds of failure, whose raw values appear in JSON reports and delivery reasons.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The URL is malformed, or has user information.
        case invalidURL = "invalid-url"
        /// The scheme is not allowed.
        case refusedScheme = "refused-scheme"
        /// An address of the host is not allowed.
        case refusedAddress = "refused-address"
        /// The port is not allowed.
        case refusedPort = "refused-port"
        /// The host has no address, or accepts no connection in time.
        case unreachable
        /// No secure connection, for example because the certificate is invalid.
        case tls
        /// More redirections than allowed, or a loop.
        case tooManyRedirects = "too-many-redirects"
        /// The server answered with a status other than success.
        case status = "http-status"
        /// The body is longer than the limit, announced or not.
        case tooLarge = "too-large"
        /// The server encoded the body although no encoding was requested.
        case encoded
        /// The body has no bytes.
        case empty
        /// The connection ended before the body, or the body's chunks are malformed.
        case incomplete
        /// The response does not follow HTTP, or its headers are too long.
        case malformed
        /// The server was slower than the least speed.
        case tooSlow = "too-slow"
        /// The file did not arrive within the limits on time, or the caller's deadline.
        case late
        /// The file cannot be stored, or memory is short.
        case storage
        /// The caller was cancelled, or the fetcher closed.
        case cancelled
        /// The transfer process was lost, or is not installed.
        case fetcherLost = "fetcher-lost"
    }
}

extension FetchError.Code: FaultCode {
    package static let domain = Fault.Domain.fetch

    /// Options that change the limit or the rule.
    package var options: [String] {
        switch self {
        case .refusedScheme: ["allow-http"]
        case .refusedAddress: ["allow-host", "allow-network"]
        case .refusedPort: ["allow-port"]
        case .tls: ["ca-file"]
        case .tooLarge: ["max-fetch-bytes"]
        case .late: ["fetch-timeout"]
        case .unreachable: ["connect-timeout"]
        case .invalidURL, .tooManyRedirects, .status, .encoded, .empty, .incomplete, .malformed,
            .tooSlow, .storage, .cancelled, .fetcherLost:
            []
        }
    }

    /// A remedy for the caller, without a full stop.
    public var remedy: String {
        switch self {
        case .invalidURL:
            "send a URL that begins with https://, has no user name, and encodes other characters"
        case .refusedScheme: "send a URL that begins with https://, or allow http"
        case .refusedAddress:
            "serve the file from a public address, or allow the host or its network"
        case .refusedPort: "serve the file on port 443, or allow the port"
        case .unreachable: "check the host's name, and that it can be reached from here"
        case .tls: "check the host's certificate, or name the authority that signed it"
        case .tooManyRedirects: "send the URL of the file itself"
        case .status: "check that the URL answers with the file, without a log-in"
        case .tooLarge: "send a smaller file, or raise the limit on fetched bytes"
        case .encoded: "serve the file without Content-Encoding"
        case .empty, .incomplete, .malformed: "check that the server sends the whole file"
        case .tooSlow, .late: "serve the file from a faster or nearer server, or allow more time"
        case .storage: "check the container folder's free space and permissions"
        case .cancelled: "fetch the file again when there is time"
        case .fetcherLost:
            "try again; if it fails again, check that thimble-transfer is installed and may run"
        }
    }

    /// Time for which the failure answers for the same URL.
    public var lifetime: FailureLifetime {
        switch self {
        case .storage, .cancelled: .attempt
        case .invalidURL, .refusedScheme, .refusedAddress, .refusedPort, .unreachable, .tls,
            .tooManyRedirects, .status, .tooLarge, .encoded, .empty, .incomplete, .malformed,
            .tooSlow, .late, .fetcherLost:
            .server
        }
    }
}

extension FetchError {
    /// Host, reason and remedy, in one line.
    public var description: String {
        (host.isEmpty ? "" : "\(host): ") + "\(fault)"
    }
}

extension FetchError {
    init(_ failure: SharedWorkFailure, host: String) {
        switch failure {
        case .late:
            self.init(
                .late, host: host, reason: "the file was not fetched before the deadline")
        case .cancelled: self.init(.cancelled, host: host, reason: "it was cancelled")
        }
    }

    init(_ failure: TransferFailure, host: String) {
        let code: Code =
            switch failure.code {
            case .unreachable: .unreachable
            case .refusedAddress: .refusedAddress
            case .refusedPort: .refusedPort
            case .tls: .tls
            case .tooLarge: .tooLarge
            case .encoded: .encoded
            case .late: .late
            case .tooSlow: .tooSlow
            case .incomplete: .incomplete
            case .malformed: .malformed
            case .storage: .storage
            case .cancelled: .cancelled
            case .lost: .fetcherLost
            }
        self.init(code, host: host, reason: failure.reason, remedy: failure.remedy)
    }
}
