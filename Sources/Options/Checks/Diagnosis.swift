/// Trial of one part of a program, for its command `doctor`.
public protocol Checking: Sendable {
    /// Makes the trial, and leaves nothing behind.
    func diagnoses() async -> [Diagnosis]
}

/// Result of one of the ``Checking`` trials.
public struct Diagnosis: Sendable, Hashable, Codable {
    /// The severity of a result.
    public enum Status: String, Sendable, Codable, CaseIterable {
        /// Everything is in order.
        case ok
        /// The program runs, with less protection, room or features than it could have.
        case warning
        /// The program does not start, or part of its work fails.
        case failed
    }

    /// Part of the program, such as `store`.
    public let part: String
    /// The severity.
    public let status: Status
    /// The finding, in a sentence without its full stop.
    public let found: String
    /// A remedy for the operator, without a full stop; nil if everything is in order.
    public let remedy: String?

    /// A part that is in order.
    public static func ok(_ part: String, _ found: String) -> Self {
        Self(part: part, status: .ok, found: found, remedy: nil)
    }

    /// A part with less protection, room or features than it could have.
    public static func warning(_ part: String, _ found: String, remedy: String) -> Self {
        Self(part: part, status: .warning, found: found, remedy: remedy)
    }

    /// A part that does not work.
    public static func failed(_ part: String, _ found: String, remedy: String) -> Self {
        Self(part: part, status: .failed, found: found, remedy: remedy)
    }

    /// Status, part, finding and remedy, in one line; `escape` makes the finding printable.
    public func line(_ escape: (String) -> String) -> String {
        let columns = [
            status.rawValue.padding(to: 7), part.padding(to: 15),
            escape(found) + (remedy.map { "; \($0)" } ?? ""),
        ]
        return columns.joined(separator: "  ")
    }
}

/// All results of `doctor`, as JSON.
public struct DiagnosisReport: Sendable, Encodable {
    /// The worst status of the checks.
    public let status: Diagnosis.Status
    /// The results, in the order of the trials.
    public let checks: [Diagnosis]

    /// Summarises results.
    public init(_ checks: [Diagnosis]) {
        self.checks = checks
        let statuses = checks.map(\.status)
        status = statuses.contains(.failed) ? .failed : statuses.contains(.warning) ? .warning : .ok
    }
}

extension String {
    fileprivate func padding(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
