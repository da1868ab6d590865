/// The findings of a check, the parts not checked, and an exit code for scripts.
public struct CheckReport: Sendable, Hashable, Codable {
    /// The findings, in the order in which a person should look at them.
    public package(set) var findings: [Finding]
    /// The parts not checked, in the same order.
    public let unchecked: [Unchecked]
    /// Number of payloads checked.
    public let payloads: Int

    /// Sorts findings and merges those that differ only in location.
    init(_ found: [Finding], unchecked: [Unchecked], payloads: Int) {
        var merged: [Finding] = []
        var indices: [Finding.MergeKey: Int] = [:]
        for finding in found {
            if let index = indices[finding.mergeKey] {
                merged[index].add(finding)
            } else {
                indices[finding.mergeKey] = merged.count
                merged.append(finding)
            }
        }
        let order = Code.allCases.enumerated().reduce(into: [Code: Int]()) { $0[$1.1] = $1.0 }
        findings = merged.enumerated().sorted { left, right in
            let ranks = (order[left.element.code] ?? 0, order[right.element.code] ?? 0)
            return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 < ranks.1
        }.map(\.element)
        self.unchecked = unchecked
        self.payloads = payloads
    }

    /// The severity of a finding.
    public enum Severity: String, Sendable, Codable, CaseIterable {
        /// The notification, its picture or its interface is not shown.
        case error
        /// The notification is shown imperfectly, or only if another mechanism compensates.
        case warning
        /// No fault is visible from the input.
        case note
    }

    /// Returns the number of findings of a severity.
    ///
    /// - Parameter severity: The severity.
    /// - Returns: The number; a finding at several locations counts once.
    public func count(of severity: Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    /// The exit code of a process that ran the check.
    ///
    /// 0: no errors and no warnings, with or without notes. 2: only warnings. 3: at least one error, as
    /// for a failed verification. 1 and 64 keep their usual meanings of failure and usage error. Parts
    /// not checked have no effect, so a deliberately narrow check can pass.
    public var exitCode: Int32 {
        if count(of: .error) > 0 { return 3 }
        return count(of: .warning) > 0 ? 2 : 0
    }
}
