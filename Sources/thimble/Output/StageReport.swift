import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import NotificationStaging

/// The outcome of one payload, for standard error.
struct StageReport: Encodable, Sendable {
    struct Reason: Encodable, Sendable {
        let code: String
        let message: String
        let remedy: String
    }

    /// The outcome of one of several attachments.
    struct Attachment: Encodable, Sendable {
        let outcome: String
        let reasons: [Reason]

        fileprivate init(_ answer: DeliveryAnswer) {
            outcome = answer.outcome.kind.rawValue
            reasons = answer.reasons.map(Reason.init)
        }

        /// True if the result is less than requested.
        fileprivate var isFailure: Bool {
            outcome != DeliveryNote.Kind.rendition.rawValue
                && !reasons.allSatisfy {
                    [DeliveryReason.Code.noAttachment, .passedThrough].map(\.rawValue)
                        .contains($0.code)
                }
        }
    }

    /// The first line of the payload, counted from 1.
    let line: Int
    /// The last of several consecutive refused lines; nil for a single one.
    var lastLine: Int?
    /// `rendition`, `lower-rung`, `original`, `without-picture`, or `passed-on` for an invalid
    /// payload; of several attachments that of the first.
    let outcome: String
    /// Reasons for the outcome.
    let reasons: [Reason]
    /// The outcomes of several attachments, in the order of the payload; nil for a single one.
    var attachments: [Attachment]?
    let notes: [String]
    let seconds: Double?

    /// Reports the outcome of a payload.
    init(_ staged: StagedPayload, line: Int) {
        self.line = line
        notes = staged.notes
        let all = staged.answers.map(Attachment.init)
        outcome = staged.outcome.rawValue
        reasons = all.first?.reasons ?? [Reason(.noAttachment)]
        attachments = all.count > 1 ? all : nil
        seconds = staged.answers.map { $0.elapsed / .seconds(1) }.max() ?? 0
    }

    init(refused error: PayloadError, lines: ClosedRange<Int>) {
        self.init(refused: error, line: lines.lowerBound)
        lastLine = lines.upperBound
    }

    /// Reports an invalid payload.
    ///
    /// The default line is that of the error.
    init(refused error: PayloadError, line: Int? = nil) {
        self.line = line ?? error.line ?? 1
        notes = []
        outcome = "passed-on"
        reasons = [
            Reason(
                code: error.code.rawValue,
                message: error.reason + (error.offset.map { ", at byte \($0)" } ?? ""),
                remedy: error.code.remedy)
        ]
        seconds = nil
    }

    /// True if the result of any attachment is less than requested.
    var isFailure: Bool { all.contains(where: \.isFailure) }

    private var all: [Attachment] {
        attachments ?? [Attachment(outcome: outcome, reasons: reasons)]
    }

    /// The report as text; empty for a success without notes.
    var lines: [String] {
        let place = lastLine.map { "lines \(line) to \($0)" } ?? "line \(line)"
        let failures = all.enumerated().filter(\.element.isFailure).flatMap { index, attachment in
            let which = attachments == nil ? "" : "attachment \(index + 1): "
            return attachment.reasons.map {
                "\(which)\(attachment.outcome) [\($0.code)]: \($0.message); \($0.remedy)"
            }
        }
        return (failures + notes).map { "\(place): \($0)" }
    }
}

extension StageReport.Attachment {
    fileprivate init(outcome: String, reasons: [StageReport.Reason]) {
        self.outcome = outcome
        self.reasons = reasons
    }
}

extension StageReport.Reason {
    fileprivate init(_ reason: DeliveryReason) {
        self.init(
            code: reason.code.rawValue, message: reason.message, remedy: reason.remedyWithOptions)
    }
}
