public import AttachmentContainer

/// A failure of a store, with the destination, the reason and the remedy.
///
/// No text contains a credential.
public struct StoreError: FaultConvertible, Sendable, Hashable {
    /// The kind of failure, stable across releases.
    public let code: Code
    /// The destination, such as `s3://pictures/r`; empty before it is known.
    public let destination: String
    /// The failure without its destination.
    public let fault: Fault
    /// Time for which the server asked to wait; nil without such a request.
    var retryAfter: Duration?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - destination: The destination. The default is empty.
    ///   - reason: The finding, without a full stop and without any path.
    ///   - remedy: The action that cures this failure, without a full stop. The default is nil: the
    ///     kind's remedy.
    public init(_ code: Code, destination: String = "", reason: String, remedy: String? = nil) {
        self.init(code, destination: destination, code.fault(reason: reason, remedy: remedy))
    }

    init(_ code: Code, destination: String, _ fault: Fault) {
        self.code = code
        self.destination = destination
        self.fault = fault
    }

    /// The finding, without a full stop and without any path.
    public var reason: String { fault.reason }
}

extension StoreError {
    /// The kinds of failure, whose raw values appear in JSON reports.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The destination cannot be used as it is written.
        case invalidDestination = "invalid-destination"
        /// No credentials were found, or the server does not accept them.
        case credentials
        /// No region was found, or the bucket is in another one.
        case region
        /// The host has no address, or accepts no connection in time.
        case unreachable
        /// No secure connection, for example because the certificate is invalid.
        case tls
        /// The credentials do not permit the request.
        case denied
        case noBucket = "no-bucket"
        /// The clocks of this machine and of the server differ too much.
        case clockSkewed = "clock-skewed"
        /// The server asked for fewer requests.
        case slowDown = "slow-down"
        case full
        /// An object exceeds the maximum length.
        case tooLarge = "too-large"
        /// The server does not implement the request.
        case unsupported
        /// Any other unsuccessful answer.
        case failed
        /// The connection ended early, or the answer does not follow HTTP.
        case incomplete
        case late
        /// Another process is removing the object.
        case busy
        /// The container or the folder cannot be read or written.
        case storage
        case cancelled
        /// The transfer process was lost, or is not installed.
        case lost
    }
}

extension StoreError.Code: FaultCode {
    package static let domain = Fault.Domain.store

    /// Options that matter.
    package var options: [String] {
        switch self {
        case .region: ["s3-region"]
        case .unreachable, .noBucket, .unsupported: ["s3-endpoint"]
        case .late: ["deadline"]
        default: []
        }
    }

    /// A remedy for the caller, without a full stop.
    public var remedy: String {
        switch self {
        case .invalidDestination:
            "write s3://BUCKET/PREFIX or the path of a folder, and an endpoint as https://HOST"
        case .credentials:
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile with both keys in "
                + "~/.aws/credentials, or give the service account, container or instance a role"
        case .region: "name the bucket's region"
        case .unreachable: "check the endpoint, and that it can be reached from here"
        case .tls: "check the endpoint's certificate, or name its authority in AWS_CA_BUNDLE"
        case .denied: "allow these credentials to put, read and delete the bucket's objects"
        case .noBucket: "create the bucket, or check its name and the endpoint"
        case .clockSkewed: "set this machine's clock, for example by NTP"
        case .slowDown: "publish less at once, or raise the store's limits"
        case .full: "free some space in the store, or raise its quota"
        case .tooLarge: "use a smaller object, or raise the limit on its length"
        case .unsupported: "check that the endpoint is an S3-compatible one"
        case .failed, .incomplete: "try again; if it fails again, check the store"
        case .late: "allow more time, or use a nearer store"
        case .busy: "try again when the pruning is over"
        case .storage: "check free space and permissions of the container and the folder"
        case .cancelled: "publish again when there is time"
        case .lost:
            "try again; if it fails again, check that thimble-transfer is installed and may run"
        }
    }

    /// True if the same request may soon succeed.
    public var isTransient: Bool {
        switch self {
        case .unreachable, .slowDown, .full, .failed, .incomplete, .late, .busy, .lost: true
        case .invalidDestination, .credentials, .region, .tls, .denied, .noBucket, .clockSkewed,
            .tooLarge, .unsupported, .storage, .cancelled:
            false
        }
    }
}

extension StoreError {
    /// Destination, reason and remedy, in one line.
    public var description: String {
        (destination.isEmpty ? "" : "\(destination): ") + "\(fault)"
    }
}
