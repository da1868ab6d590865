import NotificationPayload

/// The pre-delivery stage for payloads: makes the picture of a payload fit and adds the outcome.
protocol PayloadStaging: Sendable {
    /// Stages one payload by a deadline; on cancellation, the answer is immediate.
    ///
    /// `isStreamed` is true for payloads of a stream, whose number is bounded elsewhere.
    func stage(
        _ document: JSONDocument, until deadline: ContinuousClock.Instant, isStreamed: Bool
    ) async throws(Problem) -> StagedAnswer
}

/// A payload after the stage.
struct StagedAnswer: Sendable {
    let bytes: [UInt8]
    /// `rendition`, `lower-rung`, `original` or `without-picture`.
    let outcome: String
    /// Code of the first reason for a lesser outcome.
    let reason: String?
}
