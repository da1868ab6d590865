/// What became of each measure of a sandbox.
public struct SandboxReport: Sendable, Hashable, Codable {
    /// How much depended on it.
    public let mode: SandboxMode
    /// The measures in the order in which they were taken; none when it was off.
    public internal(set) var entries: [Entry] = []

    /// Begins with no measure taken.
    ///
    /// - Parameter mode: How much depends on the sandbox.
    init(mode: SandboxMode) { self.mode = mode }

    /// One measure.
    public struct Entry: Sendable, Hashable, Codable {
        /// What was to be taken away.
        public let measure: SandboxMeasure
        /// Whether it was.
        public let outcome: Outcome
        /// How, or why not, in words without a full stop; empty when there is nothing to say.
        public let detail: String
    }

    /// What became of a measure.
    public enum Outcome: String, Sendable, Codable {
        /// It is in force.
        case applied
        /// The kernel, or what the process runs in, does not have it.
        case unavailable
        /// There it is, and it was refused.
        case failed
    }

    /// Whether every measure is in force.
    public var isComplete: Bool {
        SandboxMeasure.allCases.allSatisfy { measure in
            entries.contains { $0.measure == measure && $0.outcome == .applied }
        }
    }
}

extension SandboxReport {
    /// Whether all of it is in force, and else what is not and why, in one line for a person.
    public var summary: String { isComplete ? "complete" : description }
}

extension SandboxReport: CustomStringConvertible {
    /// What is in force and what is not and why, in one line for a person.
    public var description: String {
        if mode == .off { return "off" }
        let missing = entries.filter { $0.outcome != .applied }
        guard !missing.isEmpty else { return entries.map(\.text).joined(separator: ", ") }
        let applied = entries.filter { $0.outcome == .applied }
        return "without " + missing.map(\.text).joined(separator: " and ")
            + (applied.isEmpty
                ? "" : "; with " + applied.map(\.text).joined(separator: ", "))
    }
}

extension SandboxReport.Entry {
    /// The measure, and in brackets what there is to say of it.
    fileprivate var text: String {
        switch outcome {
        case .applied: detail.isEmpty ? measure.rawValue : "\(measure.rawValue) (\(detail))"
        case .unavailable: "\(measure.rawValue) (not available: \(detail))"
        case .failed: "\(measure.rawValue) (refused: \(detail))"
        }
    }
}
