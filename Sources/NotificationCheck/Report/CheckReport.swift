/// What a check found, what it could not look at, and what a script should make of it.
public struct CheckReport: Sendable, Hashable, Codable {
    /// The findings, in the order in which a person should look at them.
    public let findings: [Finding]
    /// What was not checked for want of something to look at, in the same order.
    public let unchecked: [Unchecked]
    /// How many payloads were looked at.
    public let payloads: Int

    /// Puts findings in order, those that say the same of many places into one.
    init(_ found: [Finding], unchecked: [Unchecked], payloads: Int) {
        var merged: [Finding] = []
        var indices: [Finding.Statement: Int] = [:]
        for finding in found {
            if let index = indices[finding.statement] {
                merged[index].add(finding)
            } else {
                indices[finding.statement] = merged.count
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

    /// How much a finding matters.
    public enum Severity: String, Sendable, Codable, CaseIterable {
        /// A notification, its picture or its interface is not shown.
        case error
        /// It is shown, but not as well as it could be, or only where something else mends it.
        case warning
        /// Nothing is wrong that can be seen from here.
        case note
    }

    /// How many findings have a severity.
    ///
    /// - Parameter severity: The severity.
    /// - Returns: Their number; one that many places have in common counts once.
    public func count(of severity: Severity) -> Int {
        findings.count { $0.severity == severity }
    }

    /// What a process that checked says to a script.
    ///
    /// 0: no error and no warning, whatever notes there are. 2: warnings alone. 3: at least one
    /// error, as where verification finds damage. 1 and 64 are left to their meaning elsewhere:
    /// that nothing could be done, and that the command line is wrong. What was not checked changes
    /// nothing: a check that is narrow on purpose passes.
    public var exitCode: Int32 {
        if count(of: .error) > 0 { return 3 }
        return count(of: .warning) > 0 ? 2 : 0
    }
}
