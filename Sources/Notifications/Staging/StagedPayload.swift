import AttachmentContainer
public import NotificationDelivery
public import NotificationPayload

/// A payload after the stage.
public struct StagedPayload: Sendable {
    /// The payload with the outcome; unchanged if no picture is available.
    public private(set) var payload: APNsPayload
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
    public private(set) var notes: [String]
    /// The picture inside the payload; nil without one.
    public private(set) var inlinePicture: InlinePicture?
    /// The reason that a payload which should have a picture inside has none; nil if it has one, or need
    /// not have one.
    public private(set) var inlineFailure: DeliveryReason?

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

    func with(_ payload: APNsPayload, inlinePicture: InlinePicture) -> StagedPayload {
        var copy = self
        (copy.payload, copy.inlinePicture) = (payload, inlinePicture)
        return copy
    }

    func withoutInlinePicture(because failure: InlineFailure, isRequired: Bool) -> StagedPayload {
        var copy = self
        if isRequired {
            copy.inlineFailure = failure.reason
        } else {
            copy.notes.append("no inline picture: \(failure.fault.reason)")
        }
        return copy
    }

    /// The outcome of the payload: the least of its attachments' outcomes.
    ///
    /// A payload of which one attachment is not as requested is not as requested.
    public var outcome: DeliveryNote.Kind { least?.outcome.kind ?? .withoutPicture }

    /// The outcomes of all attachments, in the order of the payload; the one outcome of a payload
    /// without any.
    public var outcomes: [DeliveryNote.Kind] {
        answers.isEmpty ? [.withoutPicture] : answers.map(\.outcome.kind)
    }

    /// The index of the attachment with the least outcome, the first of several; nil without any.
    public var leastAttachment: Int? {
        // The first of several: `max` would return the last.
        answers.indices.min { answers[$0].rank > answers[$1].rank }
    }

    private var least: DeliveryAnswer? { leastAttachment.map { answers[$0] } }
}

extension DeliveryAnswer {
    /// The rank of the outcome, best first; sound and movies are attached as they are.
    fileprivate var rank: Int {
        switch outcome {
        case .renditions: 0
        case .original where reasons.allSatisfy({ $0.code == .passedThrough }): 1
        case .lowerRung: 2
        case .noRoom: 3
        case .original: 4
        case .explanation: 5
        case .withoutPicture: 6
        }
    }
}
