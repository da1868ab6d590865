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

    /// The first line of the payload, counted from 1.
    let line: Int
    /// The last of several consecutive refused lines; nil for a single one.
    var lastLine: Int?
    /// `rendition`, `lower-rung`, `original`, `without-picture`, or `passed-on` for an invalid
    /// payload.
    let outcome: String
    let reasons: [Reason]
    let notes: [String]
    let seconds: Double?

    init(_ answer: DeliveryAnswer, line: Int, notes: [String]) {
        self.line = line
        self.notes = notes
        outcome = answer.outcome.kind.rawValue
        reasons = answer.reasons.map(Reason.init)
        seconds = answer.elapsed / .seconds(1)
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

    /// True if the result is less than requested.
    var isFailure: Bool {
        outcome != "rendition"
            && !reasons.allSatisfy {
                [DeliveryReason.Code.noAttachment, .passedThrough].map(\.rawValue).contains($0.code)
            }
    }

    /// The report as text; empty for a success without notes.
    var lines: [String] {
        let place = lastLine.map { "lines \(line) to \($0)" } ?? "line \(line)"
        return
            (isFailure
            ? reasons.map { "\(place): \(outcome) [\($0.code)]: \($0.message); \($0.remedy)" }
            : []) + notes.map { "\(place): \($0)" }
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
