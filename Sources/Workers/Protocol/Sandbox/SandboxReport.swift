/// Outcome of each measure of a sandbox.
public struct SandboxReport: Sendable, Hashable, Codable {
    /// Enforcement mode.
    public let mode: SandboxMode
    /// Measures in the order in which they were taken; empty when the mode was off.
    public internal(set) var entries: [Entry] = []

    init(mode: SandboxMode) { self.mode = mode }

    /// Outcome of one measure.
    public struct Entry: Sendable, Hashable, Codable {
        /// The measure.
        public let measure: SandboxMeasure
        /// The outcome.
        public let outcome: Status
        /// Details or a reason, without a full stop; may be empty.
        public let detail: String
    }

    /// Outcome of a measure.
    public enum Status: String, Sendable, Codable {
        case applied
        /// Unsupported by the kernel or the environment.
        case unavailable
        /// Supported but refused.
        case failed
    }

    /// True if every measure is in force.
    public var isComplete: Bool {
        SandboxMeasure.allCases.allSatisfy { measure in
            entries.contains { $0.measure == measure && $0.outcome == .applied }
        }
    }
}

extension SandboxReport {
    /// "complete", or the missing measures with reasons, in one line.
    public var summary: String { isComplete ? "complete" : description }
}

extension SandboxReport: CustomStringConvertible {
    /// Measures in force and missing measures with reasons, in one line.
    public var description: String {
        if mode == .off { return "off" }
        let missing = entries.filter { $0.outcome != .applied }
        guard !missing.isEmpty else { return entries.map(\.text).joined(separator: ", ") }
        let applied = entries.filter { $0.outcome == .applied }
        return "without " + missing.map(\.text).joined(separator: " and ")
            + (applied.isEmpty ? "" : "; with " + applied.map(\.text).joined(separator: ", "))
    }
}

extension SandboxReport.Entry {
    fileprivate var text: String {
        switch outcome {
        case .applied: detail.isEmpty ? measure.rawValue : "\(measure.rawValue) (\(detail))"
        case .unavailable: "\(measure.rawValue) (not available: \(detail))"
        case .failed: "\(measure.rawValue) (refused: \(detail))"
        }
    }
}
