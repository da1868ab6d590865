import AttachmentContainer
import AttachmentModel
import Foundation
import NotificationDelivery
import NotificationPayload
import NotificationStaging

/// The outcome of one payload, for standard error.
struct StageReport: Encodable, Sendable {
    struct Reason: Encodable, Sendable {
        let code: String
        /// The part of the product that failed.
        let domain: Fault.Domain
        let message: String
        let remedy: String
    }

    /// The outcome of one of several attachments.
    struct Attachment: Encodable, Sendable {
        let outcome: String
        let location: String?
        let reasons: [Reason]

        fileprivate init(_ answer: DeliveryAnswer, _ location: String) {
            outcome = answer.outcome.kind.rawValue
            self.location = location
            reasons = answer.reasons.map(Reason.init)
        }

        fileprivate init(_ unmatched: UnmatchedPayload) {
            outcome = DeliveryNote.Kind.withoutPicture.rawValue
            location = nil
            reasons = [Reason(unmatched.reason)]
        }

        /// True if the result is less than requested; a payload without an attachment has a summary.
        fileprivate var isFailure: Bool {
            outcome != DeliveryNote.Kind.rendition.rawValue
                && !reasons.allSatisfy {
                    [DeliveryReason.Code.noAttachment, .wrongType, .passedThrough].map(\.rawValue)
                        .contains($0.code)
                }
        }
    }

    /// The first line of the payload, counted from 1.
    let line: Int
    /// The last of several consecutive refused lines; nil for a single one.
    var lastLine: Int?
    /// `rendition`, `lower-rung`, `no-room`, `original`, `without-picture`, or `passed-on` for an invalid
    /// payload; of several attachments the least.
    let outcome: String
    /// The location of the attachment; of several, the one with the outcome; nil without any.
    ///
    /// URLs have no user, query and fragment unless the log is to have them.
    let location: String?
    /// Reasons for the outcome.
    let reasons: [Reason]
    /// The outcomes of several attachments, in the order of the payload; nil for a single one.
    var attachments: [Attachment]?
    let notes: [String]
    let seconds: Double?
    /// Length of the picture inside the payload, before base64url; nil without one.
    var inlineBytes: Int?
    /// The reason that a payload which should have a picture inside has none.
    var inlineReason: Reason?

    /// True for a payload without an attachment under the keys of the style.
    let isUnmatched: Bool

    private enum CodingKeys: CodingKey {
        case line, lastLine, outcome, location, reasons, attachments, notes, seconds
        case inlineBytes, inlineReason
    }

    /// Reports the outcome of a payload; `isWhole` is true to keep the private parts of URLs.
    init(_ staged: StagedPayload, line: Int, wholeURLs isWhole: Bool = false) {
        self.line = line
        notes = staged.notes
        var all = zip(staged.answers, staged.locations).map {
            Attachment($0, isWhole ? $1.location : $1.publicLocation)
        }
        all += [staged.unmatched].compactMap(\.self).map(Attachment.init)
        outcome = staged.outcome.rawValue
        let shown = staged.leastAttachment.map { all[$0] } ?? all.first
        location = shown?.location
        reasons = shown?.reasons ?? []
        attachments = all.count > 1 ? all : nil
        isUnmatched = staged.unmatched != nil
        seconds = staged.answers.map { $0.elapsed / .seconds(1) }.max() ?? 0
        inlineBytes = staged.inlinePicture?.bytes.count
        inlineReason = staged.inlineFailure.map(Reason.init)
    }

    init(refused error: PayloadError, lines: ClosedRange<Int>) {
        self.init(refused: error, line: lines.lowerBound)
        lastLine = lines.upperBound
    }

    /// Reports an invalid payload.
    ///
    /// The default line is the error's.
    init(refused error: PayloadError, line: Int? = nil) {
        self.line = line ?? error.line ?? 1
        notes = []
        outcome = "passed-on"
        location = nil
        isUnmatched = false
        reasons = [
            Reason(
                code: error.fault.code, domain: error.fault.domain, message: error.fault.reason,
                remedy: error.fault.remedy)
        ]
        seconds = nil
    }

    /// True if the result of any attachment, or the picture inside the payload, is less than requested.
    var isFailure: Bool { inlineReason != nil || all.contains(where: \.isFailure) }

    private var all: [Attachment] {
        attachments ?? [Attachment(outcome: outcome, location: location, reasons: reasons)]
    }

    /// The report as text; empty for a success without notes.
    var lines: [String] {
        let place = lastLine.map { "lines \(line) to \($0)" } ?? "line \(line)"
        let failures = all.enumerated().filter(\.element.isFailure).flatMap { index, attachment in
            let which =
                (attachments == nil ? "" : "attachment \(index + 1): ")
                + (attachment.location.map { "\($0): " } ?? "")
            return attachment.reasons.map {
                "\(which)\(attachment.outcome) [\($0.code)]: \($0.message); \($0.remedy)"
            }
        }
        let inline = inlineReason.map {
            "no inline picture [\($0.code)]: \($0.message); \($0.remedy)"
        }
        return (failures + [inline].compactMap(\.self) + notes).map { "\(place): \($0)" }
    }
}

extension StageReport.Attachment {
    fileprivate init(outcome: String, location: String?, reasons: [StageReport.Reason]) {
        self.outcome = outcome
        self.location = location
        self.reasons = reasons
    }
}

extension StageReport.Reason {
    fileprivate init(_ reason: DeliveryReason) {
        self.init(
            code: reason.code.rawValue, domain: reason.fault.domain, message: reason.message,
            remedy: reason.fault.remedyWithOptions)
    }
}
