import Logging

/// Logs failures of payloads with request, line and location.
struct PayloadTrace: Sendable {
    let logger: Logger
    /// Nil outside requests.
    let requestID: String?
    let traceParent: TraceParent?
    let wholeURLs: Bool

    /// Logs each attachment with a reason, or the reason of a payload without attachments.
    func log(_ report: PayloadReport) {
        for attachment in report.attachments {
            log(report.line, attachment.outcome, attachment.reasons, attachment.location)
        }
        if report.attachments.isEmpty { log(report.line, report.outcome, report.reasons, nil) }
    }

    private func log(
        _ line: Int, _ outcome: String, _ reasons: [PayloadReport.Reason], _ location: String?
    ) {
        guard let reason = reasons.first else { return }
        var metadata: Logger.Metadata = [
            "line": .stringConvertible(line), "outcome": .string(outcome),
            "code": .string(reason.code), "reason": .string(reason.message),
        ]
        if let requestID { metadata["requestId"] = .string(requestID) }
        if let traceParent { metadata["traceparent"] = .string("\(traceParent)") }
        if let location { metadata["location"] = .string(location) }
        logger.info("payload", metadata: metadata)
    }
}
