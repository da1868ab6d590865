import AttachmentContainer
import NotificationDelivery
import NotificationPayload

/// Writes the answers for attachments into their payloads.
struct PayloadEditor: Sendable {
    private let publishing: RenditionPublishing
    private let settings: StagingSettings

    init(_ publishing: RenditionPublishing, _ settings: StagingSettings) {
        self.publishing = publishing
        self.settings = settings
    }

    /// The payload with the published locations and the note.
    ///
    /// Locations have precedence over the note, also over one of an earlier staging. An attachment whose
    /// rendition could not be published or named keeps its own location, and the note and the answer
    /// say so.
    func edit(
        _ plan: PayloadPlan, _ answers: [DeliveryAnswer],
        _ publications: [RenditionPublishing.Publication]
    ) -> StagedPayload {
        var notes = plan.notes
        var payload = plan.payload
        var answers = answers
        for index in answers.indices {
            do throws(Unchanged) {
                try replaceLocation(
                    of: plan.references[index], by: answers[index], publications[index],
                    in: &payload, limit: plan.limit)
            } catch {
                switch error {
                case .failed(let reason):
                    answers[index] = answers[index].withOriginal(because: reason)
                case .noRoom(let missing):
                    answers[index] = answers[index].withoutRoom(
                        missing: missing, limit: plan.limit, hasURL: true)
                }
            }
        }
        if settings.addsNote, let note = answers.note {
            let edit = payload.adding(note, at: settings.notePath, limit: plan.limit)
            payload = edit.payload
            if isNamedByNoteAlone, [.noRoom, .alreadyTooLarge].contains(edit.outcome) {
                answers = answers.map {
                    $0.outcome.manifest == nil
                        ? $0
                        : $0.withoutRoom(missing: edit.missing, limit: plan.limit, hasURL: false)
                }
            }
            // Without room for a rendition, the answer says so.
            let hasRoom = answers.allSatisfy { $0.outcome.kind != .noRoom }
            if let explanation = edit.explanation, hasRoom { notes.append(explanation) }
        }
        return StagedPayload(plan, payload: payload, answers: answers, notes: notes)
    }

    /// True if nothing but the note leads to the renditions.
    private var isNamedByNoteAlone: Bool {
        if case .none = publishing.place { !settings.manifestPerNotification } else { false }
    }

    /// Causes of an unchanged location.
    private enum Unchanged: Error {
        case failed(DeliveryReason)
        case noRoom(missing: Int)
    }

    private func replaceLocation(
        of reference: AttachmentReference, by answer: DeliveryAnswer,
        _ publication: RenditionPublishing.Publication, in payload: inout APNsPayload, limit: Int
    ) throws(Unchanged) {
        if case .failed(let reason) = publication { throw .failed(reason) }
        guard let manifest = answer.outcome.manifest, let rendition = manifest.attachment else {
            return
        }
        let url: String
        switch (publishing.place, publication) {
        case (.container(_, let base), _):
            url = base + (base.hasSuffix("/") ? "" : "/") + rendition.file
        case (_, .published(let published)): url = published
        default: return
        }
        let edit = try edit(payload, reference, url, answer.note.rendition, limit)
        for rendition in manifest.published { try record(rendition) }
        payload = edit.payload
    }

    /// Writes the location, if necessary in place of the note of an earlier staging.
    private func edit(
        _ payload: APNsPayload, _ reference: AttachmentReference, _ url: String,
        _ rendition: DeliveryNote.Rendition?, _ limit: Int
    ) throws(Unchanged) -> PayloadEdit {
        var edit = payload.replacing(reference, with: url, rendition: rendition, limit: limit)
        if edit.missing > 0, settings.addsNote {
            edit = payload.removingNote(at: settings.notePath)
                .replacing(reference, with: url, rendition: rendition, limit: limit)
        }
        switch edit.outcome {
        case .complete, .reduced: return edit
        case .noRoom, .alreadyTooLarge: throw .noRoom(missing: edit.missing)
        case .occupied:
            throw .failed(
                DeliveryReason(
                    .storage, message: "the picture's location in the payload has changed",
                    remedy: "stage the payload once"))
        }
    }

    /// Records a URL of the container before it is given out, so that pruning keeps its file.
    private func record(_ rendition: Manifest.Rendition) throws(Unchanged) {
        guard case .container(let published, _) = publishing.place else { return }
        let isRecorded: Bool
        do throws(ContainerError) {
            isRecorded = try published.record(rendition)
        } catch {
            throw .failed(RenditionPublishing.unrecorded(error))
        }
        if !isRecorded { throw .failed(RenditionPublishing.removed) }
    }
}
