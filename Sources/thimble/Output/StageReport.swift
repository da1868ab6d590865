import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload

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

    /// Reports the answers for the attachments of a payload, at least one.
    init(_ answers: [DeliveryAnswer], line: Int, notes: [String]) {
        self.line = line
        self.notes = notes
        let all = answers.map(Attachment.init)
        outcome = all.first?.outcome ?? DeliveryNote.Kind.withoutPicture.rawValue
        reasons = all.first?.reasons ?? []
        attachments = all.count > 1 ? all : nil
        seconds = answers.map { $0.elapsed / .seconds(1) }.max()
    }

    init(withoutPictureIn line: Int, notes: [String]) {
        self.line = line
        self.notes = notes
        outcome = DeliveryNote.Kind.withoutPicture.rawValue
        reasons = [Reason(.noAttachment)]
        seconds = 0
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
        let ofAttachment = AttachmentError.Code(rawValue: reason.code.rawValue)
        // Failures to fetch have some of the codes, with remedies of their own.
        let isOfAttachment = ofAttachment?.remedy == reason.remedy
        self.init(
            code: reason.code.rawValue, message: reason.message,
            remedy: isOfAttachment
                ? ofAttachment?.remedyWithOptions ?? reason.remedy : reason.remedy)
    }
}
