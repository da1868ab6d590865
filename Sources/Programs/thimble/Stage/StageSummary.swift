import NotificationPayload

/// Failures of a stream of payloads, and the payloads without an attachment.
struct StageSummary: Encodable, Sendable {
    /// Payloads without an attachment under the keys of the style, with the first as the example.
    struct Unmatched: Encodable, Sendable {
        var payloads: Int
        /// The line of the first, counted from 1.
        let line: Int
        let reason: StageReport.Reason
    }

    private(set) var failures = 0
    /// Unmatched payloads by the code of their reason, in the order of the first.
    private(set) var unmatched: [Unmatched] = []

    private enum CodingKeys: CodingKey { case unmatched }

    mutating func add(_ report: StageReport) {
        if report.isFailure { failures += 1 }
        guard report.isUnmatched, let reason = report.reasons.first else { return }
        if let index = unmatched.firstIndex(where: { $0.reason.code == reason.code }) {
            unmatched[index].payloads += 1
        } else {
            unmatched.append(Unmatched(payloads: 1, line: report.line, reason: reason))
        }
    }

    /// True if the user named keys under which payloads have no attachment.
    func hasMissed(_ style: PayloadStyle) -> Bool { style != .auto && !unmatched.isEmpty }

    /// Lines about payloads without an attachment; empty if all have one.
    var lines: [String] {
        unmatched.map {
            "\($0.payloads) \($0.payloads == 1 ? "payload has" : "payloads have") no picture, "
                + "first in line \($0.line) [\($0.reason.code)]: \($0.reason.message); "
                + $0.reason.remedy
        }
    }
}
