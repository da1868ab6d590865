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
        if settings.addsNote {
            if isNamedByNoteAlone {
                NoteRoom(plan, payload, settings.notePath).settle(&answers)
            }
            if let note = plan.note(on: answers) {
                let edit = payload.adding(note, at: settings.notePath, limit: plan.limit)
                payload = edit.payload
                // Without room for a rendition, the answer says so.
                let hasRoom = answers.allSatisfy { $0.outcome.kind != .noRoom }
                if let explanation = edit.explanation, hasRoom { notes.append(explanation) }
            }
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
        guard let manifest = answer.outcome.manifest, let main = manifest.attachment,
            let urls = urls(of: manifest, publication)
        else { return }
        let edit = try edit(payload, reference, limit) { surface in
            let rendition = surface.rendition(in: manifest) ?? main
            let url = urls[rendition.role] ?? urls[main.role] ?? reference.location
            return APNsPayload.Replacement(url, DeliveryNote.Rendition(rendition))
        }
        for rendition in manifest.published { try record(rendition) }
        payload = edit.payload
    }

    /// Writes the locations, if necessary in place of the note of an earlier staging.
    private func edit(
        _ payload: APNsPayload, _ reference: AttachmentReference, _ limit: Int,
        by choose: (PictureSurface) -> APNsPayload.Replacement
    ) throws(Unchanged) -> PayloadEdit {
        var edit = payload.replacing(reference, limit: limit, by: choose)
        if edit.missing > 0, settings.addsNote {
            edit = payload.removingNote(at: settings.notePath)
                .replacing(reference, limit: limit, by: choose)
        }
        switch edit.outcome {
        case .complete, .reduced: return edit
        case .noRoom, .alreadyTooLarge: throw .noRoom(missing: edit.missing)
        case .occupied:
            throw .failed(
                DeliveryReason(
                    .storage, reason: "the picture's location in the payload has changed",
                    remedy: "stage the payload once"))
        }
    }

    /// The URLs of published renditions by role; nil if payloads keep their own locations.
    private func urls(
        of manifest: Manifest, _ publication: RenditionPublishing.Publication
    ) -> [RenditionRole: String]? {
        switch (publishing.place, publication) {
        case (.container(_, let base), _):
            let folder = base + (base.hasSuffix("/") ? "" : "/")
            return Dictionary(
                manifest.published.map { ($0.role, folder + $0.file) },
                uniquingKeysWith: { first, _ in first })
        case (_, .published(let urls)):
            return Dictionary(
                urls.map { ($0.role, $0.url) }, uniquingKeysWith: { first, _ in first })
        default: return nil
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

extension PictureSurface {
    /// The rendition of the surface's preset; nil if it was not made.
    fileprivate func rendition(in manifest: Manifest) -> Manifest.Rendition? {
        switch self {
        case .content, .other: nil
        case .androidBigPicture, .androidLargeIcon, .webPush:
            manifest.rendition(RenditionRole(rawValue: rawValue))
        }
    }
}
