/// Result of one of ``ServiceChecks``.
package struct Diagnosis: Sendable, Hashable, Codable {
    package enum Status: String, Sendable, Codable, CaseIterable {
        case ok
        /// The service runs, with less protection or room than it could have.
        case warning
        /// The service does not start, or part of its work fails.
        case failed
    }

    /// Part of the service, such as `store`.
    package let part: String
    package let status: Status
    /// The finding, in a sentence without its full stop.
    package let found: String
    /// A remedy for the operator, without a full stop; nil if everything is in order.
    package let remedy: String?

    static func ok(_ part: String, _ found: String) -> Self {
        Self(part: part, status: .ok, found: found, remedy: nil)
    }

    package static func warning(_ part: String, _ found: String, remedy: String) -> Self {
        Self(part: part, status: .warning, found: found, remedy: remedy)
    }

    package static func failed(_ part: String, _ found: String, remedy: String) -> Self {
        Self(part: part, status: .failed, found: found, remedy: remedy)
    }
}
