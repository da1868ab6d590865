import Foundation
import TransferProtocol

extension StoreError {
    /// Difference of clocks that servers tolerate, in seconds (AWS documentation of
    /// `RequestTimeTooSkewed`).
    private static let toleratedSkew = 900.0

    /// The error for an answer that is no success.
    init(_ answer: S3Answer, _ destination: S3Destination, now: Date = Date()) {
        let server = "the server answered \(answer.status)" + (answer.code.map { " \($0)" } ?? "")
        let make = { (code: Code, reason: String) in
            var error = StoreError(code, destination: destination.description, reason: reason)
            error.retryAfter = answer.retryAfter(at: now)
            return error
        }
        let skew = answer.clockDifference(at: now) ?? 0
        let isSkewed =
            answer.code == "RequestTimeTooSkewed"
            || ([400, 401, 403].contains(answer.status) && abs(skew) > Self.toleratedSkew)
        guard !isSkewed else {
            let difference =
                abs(skew) >= 60
                ? ", whose clock is \(Int(abs(skew) / 60)) minutes \(skew > 0 ? "ahead" : "behind")"
                : ""
            self = make(.clockSkewed, server + difference)
            return
        }
        if let code = answer.code.flatMap({ Self.codes[$0] }) {
            let region = answer.headers["x-amz-bucket-region"].map { ": the bucket is in \($0)" }
            self = make(code, server + (code == .region ? region ?? "" : ""))
            return
        }
        let code: Code =
            switch answer.status {
            case 301, 307, 308: .region
            case 401, 403: .denied
            // Another writer of the same object; the next attempt finds it.
            case 408, 409, 425: .failed
            case 404: .noBucket
            case 429: .slowDown
            case 501: .unsupported
            case 413, 507: .full
            case 500...: .failed
            default: .unsupported
            }
        self = make(code, server)
    }

    /// Codes of errors that tell more than their status (Amazon S3 API reference, error responses).
    private static let codes: [String: Code] = [
        "AccessDenied": .denied,
        "AccountProblem": .denied,
        "AllAccessDisabled": .denied,
        "AuthorizationHeaderMalformed": .region,
        "BadDigest": .storage,
        "ExpiredToken": .credentials,
        "IllegalLocationConstraintException": .region,
        "IncompleteBody": .incomplete,
        "InvalidAccessKeyId": .credentials,
        "InvalidToken": .credentials,
        "NoSuchBucket": .noBucket,
        "NotImplemented": .unsupported,
        "OperationAborted": .failed,
        "PermanentRedirect": .region,
        "QuotaExceeded": .full,
        "RequestExpired": .clockSkewed,
        "RequestTimeout": .incomplete,
        "ServiceUnavailable": .slowDown,
        "SignatureDoesNotMatch": .credentials,
        "SlowDown": .slowDown,
        "TemporaryRedirect": .failed,
        "XAmzContentSHA256Mismatch": .storage,
    ]

    /// The error for an exchange without an answer.
    init(_ failure: TransferFailure, _ destination: S3Destination) {
        let code: Code =
            switch failure.code {
            case .unreachable: .unreachable
            case .tls: .tls
            case .late, .tooSlow: .late
            case .incomplete, .malformed, .encoded: .incomplete
            case .tooLarge: .tooLarge
            case .storage: .storage
            case .cancelled: .cancelled
            case .lost: .lost
            // No guard is set for the endpoint, which the operator names.
            case .refusedAddress, .refusedPort: .unreachable
            }
        self.init(code, destination: destination.description, reason: failure.reason)
    }
}
