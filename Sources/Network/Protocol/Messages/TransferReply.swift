package import ThimbleBasics
package import WorkerProtocol

/// A message from a transfer process.
package enum TransferReply: Sendable {
    /// The process is in its sandbox.
    case ready(SandboxReport)
    /// The process cannot work.
    case unable(Fault)
    /// End of a transfer, sent exactly once for each.
    case ended(UInt64, TransferOutcome)
}

package enum TransferOutcome: Sendable {
    /// The server answered with any status.
    case response(TransferResponse)
    case failure(TransferFailure)
}

package struct TransferResponse: Sendable {
    package let status: Int
    /// The requested headers, by their names in lowercase.
    package let headers: [String: String]
    /// Length of the stored body.
    package let bytes: Int

    package init(status: Int, headers: [String: String], bytes: Int) {
        self.status = status
        self.headers = headers
        self.bytes = bytes
    }
}

package struct TransferFailure: Error, Codable, Sendable, Hashable {
    package let code: Code
    /// The finding, without a full stop and without any part of the URL.
    package let reason: String
    /// The action that cures this failure, without a full stop; nil for the kind's remedy.
    package let remedy: String?

    package init(_ code: Code, _ reason: String, remedy: String? = nil) {
        self.code = code
        self.reason = reason
        self.remedy = remedy
    }

    package enum Code: String, Codable, Sendable {
        case unreachable
        case refusedAddress
        case refusedPort
        case tls
        case tooLarge
        case encoded
        case late
        case tooSlow
        case incomplete
        case malformed
        case storage
        case cancelled
        /// The process was lost or could not start.
        case lost
    }
}
