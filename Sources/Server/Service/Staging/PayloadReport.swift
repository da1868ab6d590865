import AttachmentContainer
import NotificationDelivery
import NotificationPayload
import NotificationStaging

/// The outcome of one payload, for the log and for an enveloped answer.
struct PayloadReport: Encodable, Sendable {
    struct Reason: Encodable, Sendable {
        let code: String
        /// The part of the product that failed; nil for a fault of the request.
        let domain: Fault.Domain?
        let message: String
        let remedy: String
    }

    struct Attachment: Encodable, Sendable {
        let outcome: String
        /// Without user, query and fragment of a URL, unless the service logs whole URLs.
        let location: String
        let reasons: [Reason]
    }

    /// The outcome of a payload that is passed on unchanged without being staged.
    static let passedOn = "passed-on"

    /// The first line of the payload in its request, counted from 1.
    let line: Int
    /// The last of several refused lines; nil for a single one.
    var lastLine: Int?
    let requestId: String?
    /// The least of the attachments' outcomes, or ``passedOn``.
    let outcome: String
    /// Reasons of the attachment with that outcome, or of the payload itself.
    let reasons: [Reason]
    let attachments: [Attachment]
    /// The beginning of a line that is not a payload.
    var text: String?

    /// False for the report on a line that is not a payload.
    var isOfPayload: Bool { text == nil }

    init(_ staged: StagedPayload, line: Int, requestID: String?, wholeURLs: Bool) {
        self.line = line
        requestId = requestID
        outcome = staged.outcome.rawValue
        let all = zip(staged.answers, staged.locations).map { answer, location in
            Attachment(
                outcome: answer.outcome.kind.rawValue,
                location: wholeURLs ? location.location : location.publicLocation,
                reasons: answer.reasons.map(Reason.init))
        }
        attachments = all
        reasons =
            staged.unmatched.map { [Reason($0.reason)] }
            ?? staged.leastAttachment.map { all[$0].reasons } ?? []
    }

    /// The report on a payload that could not be staged.
    init(_ problem: Problem, line: Int, requestID: String?) {
        self.line = line
        requestId = requestID
        outcome = Self.passedOn
        reasons = [
            Reason(
                code: problem.code, domain: problem.domain, message: problem.detail,
                remedy: problem.remedy)
        ]
        attachments = []
    }

    /// The report on bytes that are not a payload; nil for white space and documents.
    init?(_ piece: PayloadSplitter.Piece, requestID: String?) {
        guard let error = piece.refusal else { return nil }
        self.init(Problem(error), line: error.line ?? 1, requestID: requestID)
        if case .refusedLines(_, let lines) = piece { lastLine = lines.upperBound }
        text = String(String(decoding: piece.bytes, as: UTF8.self).prefix(1000))
    }
}

extension PayloadReport.Reason {
    init(_ reason: DeliveryReason) {
        self.init(
            code: reason.code.rawValue, domain: reason.fault.domain, message: reason.message,
            remedy: reason.remedy)
    }
}
