public import NotificationDelivery
public import NotificationPayload

/// A payload after the stage.
public struct StagedPayload: Sendable {
    /// The payload with the outcome; unchanged if no picture is available.
    public let payload: APNsPayload
    /// The answers for its attachments, in its order; empty without attachments.
    ///
    /// One whose rendition could not be published has the outcome
    /// `DeliveryAnswer.Outcome.original`; one that the payload has no room to name has
    /// `DeliveryAnswer.Outcome.noRoom(missing:)`.
    public let answers: [DeliveryAnswer]
    /// The locations of its attachments, in the order of the answers.
    public let locations: [AttachmentReference]
    /// The reason that no attachment was found; nil if there is one.
    public let unmatched: UnmatchedPayload?
    /// Remarks for people, without any part of the payload: a category that no extension declares, a
    /// note without room.
    public let notes: [String]

    init(
        _ plan: PayloadPlan, payload: APNsPayload? = nil, answers: [DeliveryAnswer] = [],
        notes: [String]? = nil
    ) {
        self.payload = payload ?? plan.payload
        self.answers = answers
        locations = plan.references
        unmatched = plan.unmatched
        self.notes = notes ?? plan.notes
    }

    /// The outcome of the first attachment.
    public var outcome: DeliveryNote.Kind { answers.first?.outcome.kind ?? .withoutPicture }
}
