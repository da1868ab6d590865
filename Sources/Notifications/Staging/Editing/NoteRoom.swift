import NotificationDelivery
import NotificationPayload

/// The room for a note that alone leads to the renditions.
///
/// A note leads to a rendition if it has the identifier of the manifest; its other fields are optional.
struct NoteRoom {
    private let plan: PayloadPlan
    private let payload: APNsPayload
    private let path: JSONPath

    init(_ plan: PayloadPlan, _ payload: APNsPayload, _ path: JSONPath) {
        self.plan = plan
        self.payload = payload
        self.path = path
    }

    /// Changes the answers for renditions to which the note will not lead.
    func settle(_ answers: inout [DeliveryAnswer]) {
        for index in answers.indices where !plan.references[index].isForApple {
            answers[index].replaceRendition { $0.withOriginal(because: .onlyForApple) }
        }
        guard let note = plan.note(on: answers), note.hasIdentifier else { return }
        guard payload.hasPlaceForNote else {
            for index in answers.indices {
                answers[index].replaceRendition { $0.withOriginal(because: .noPlaceForNote) }
            }
            return
        }
        let all = edit(note, [.identifier, .others])
        switch all.outcome {
        case .complete, .reduced: return
        case .occupied:
            for index in answers.indices {
                answers[index].replaceRendition { $0.withOriginal(because: .occupied) }
            }
        case .noRoom, .alreadyTooLarge:
            var first = note
            first.others = []
            let isFirstNamed = [.complete, .reduced].contains(edit(first, [.identifier]).outcome)
            var named = isFirstNamed ? plan.firstNoted(of: answers) : nil
            // Without identifier, the first one needs no room.
            if note.identifier == nil { named = nil }
            for index in answers.indices where index != named {
                answers[index].replaceRendition {
                    $0.withoutRoom(missing: all.missing, limit: plan.limit, hasURL: false)
                }
            }
        }
    }

    private func edit(_ note: DeliveryNote, _ required: Set<DeliveryNote.Field>) -> PayloadEdit {
        payload.adding(note, at: path, limit: plan.limit, requiring: required)
    }
}

extension PayloadPlan {
    /// The note on the answers: for Apple devices, which do not see pictures of other platforms.
    func note(on answers: [DeliveryAnswer]) -> DeliveryNote? {
        zip(references, answers).filter(\.0.isForApple).map(\.1).note
    }

    /// The index of the answer that the note itself describes; `others` describes the rest.
    fileprivate func firstNoted(of answers: [DeliveryAnswer]) -> Int? {
        answers.indices.first {
            references[$0].isForApple && answers[$0].outcome.kind != .withoutPicture
        }
    }
}

extension DeliveryNote {
    fileprivate var hasIdentifier: Bool {
        identifier != nil || others.contains { $0.identifier != nil }
    }
}

extension DeliveryAnswer {
    /// Replaces an answer that has a rendition.
    fileprivate mutating func replaceRendition(_ change: (DeliveryAnswer) -> DeliveryAnswer) {
        if outcome.manifest != nil { self = change(self) }
    }
}

extension DeliveryReason {
    fileprivate static let onlyForApple = DeliveryReason(
        .unpublished,
        reason: "only the note names the rendition, and devices of other platforms do not read it")
    fileprivate static let noPlaceForNote = DeliveryReason(
        .unpublished, reason: "the provider's request has no place for a note")
    fileprivate static let occupied = DeliveryReason(
        .unpublished, reason: "the payload has a different value in place of the note",
        remedy: "remove it, or choose another place for the note")
}
