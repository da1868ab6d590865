public import NotificationDelivery
public import NotificationPayload

/// A payload after the stage.
public struct StagedPayload: Sendable {
    /// The payload with the outcome; unchanged if no picture is available.
    public let payload: APNsPayload
    /// The answers for its attachments, in its order; empty without attachments.
    ///
    /// One whose rendition could not be published has the outcome
    /// `DeliveryAnswer.Outcome.original`.
    public let answers: [DeliveryAnswer]
    /// Remarks for people, without any part of the payload: a category that no extension declares, a
    /// note without room.
    public let notes: [String]

    /// The outcome of the first attachment.
    public var outcome: DeliveryNote.Kind { answers.first?.outcome.kind ?? .withoutPicture }
}
