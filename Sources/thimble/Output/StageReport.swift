import Foundation
import NotificationDelivery
import NotificationPayload

/// What became of one payload, for standard error.
struct StageReport: Encodable, Sendable {
    /// Why it is not all that was asked for.
    struct Reason: Encodable, Sendable {
        let code: String
        let message: String
        let remedy: String
    }

    /// The line that the payload begins in, counted from 1.
    let line: Int
    /// The last of several lines that are refused alike; nil for one.
    var lastLine: Int?
    /// What it got: `rendition`, `lower-rung`, `original`, `without-picture`, or `passed-on` for
    /// what is no payload.
    let outcome: String
    let reasons: [Reason]
    /// What a person should know besides.
    let notes: [String]
    let seconds: Double?

    /// Reports a delivery.
    ///
    /// - Parameters:
    ///   - answer: What the stage answered.
    ///   - line: The line that the payload begins in.
    ///   - notes: What a person should know besides.
    init(_ answer: DeliveryAnswer, line: Int, notes: [String]) {
        self.line = line
        self.notes = notes
        outcome = answer.outcome.kind.rawValue
        reasons = answer.reasons.map(Reason.init)
        seconds = answer.elapsed / .seconds(1)
    }

    /// Reports a payload that names no picture.
    ///
    /// - Parameters:
    ///   - line: The line that the payload begins in.
    ///   - notes: What a person should know besides.
    init(withoutPictureIn line: Int, notes: [String]) {
        self.line = line
        self.notes = notes
        outcome = DeliveryNote.Outcome.withoutPicture.rawValue
        reasons = [Reason(.noAttachment)]
        seconds = 0
    }

    /// Reports lines that are no payloads.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - lines: Their numbers.
    init(refused error: PayloadError, lines: ClosedRange<Int>) {
        self.init(refused: error, line: lines.lowerBound)
        lastLine = lines.upperBound
    }

    /// Reports what is no payload.
    ///
    /// - Parameters:
    ///   - error: Why.
    ///   - line: The line that it begins in; nil for that of the fault.
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

    /// Whether it got less than was asked for; one that asked for nothing did not.
    var isFailure: Bool {
        outcome != "rendition"
            && !reasons.allSatisfy {
                [DeliveryReason.Code.noAttachment, .passedThrough].map(\.rawValue).contains($0.code)
            }
    }

    /// The report for a person; nothing when all went well.
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
        self.init(code: reason.code.rawValue, message: reason.message, remedy: reason.remedy)
    }
}
