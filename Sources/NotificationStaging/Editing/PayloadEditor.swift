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
    /// An attachment whose rendition could not be published keeps its own location, and the note and
    /// the answer say so.
    func edit(
        _ plan: PayloadPlan, _ answers: [DeliveryAnswer],
        _ publications: [RenditionPublishing.Publication]
    ) -> StagedPayload {
        var notes = plan.notes
        var payload = plan.payload
        var answers = answers
        for index in answers.indices {
            if case .failed(let reason) = publications[index] {
                answers[index] = answers[index].withOriginal(because: reason)
            } else {
                replaceLocation(
                    of: plan.references[index], by: answers[index], publications[index],
                    in: &payload, &notes)
            }
        }
        // The note is for Apple devices, which do not see pictures of other platforms.
        let shown = zip(plan.references, answers).filter(\.0.isForApple).map(\.1)
        if settings.addsNote, let note = shown.note {
            let edit = payload.adding(note, at: settings.notePath, limit: settings.payloadLimit)
            if let explanation = edit.explanation { notes.append(explanation) }
            payload = edit.payload
        }
        return StagedPayload(payload: payload, answers: answers, notes: notes)
    }

    private func replaceLocation(
        of reference: AttachmentReference, by answer: DeliveryAnswer,
        _ publication: RenditionPublishing.Publication, in payload: inout APNsPayload,
        _ notes: inout [String]
    ) {
        guard let manifest = answer.outcome.manifest, let main = manifest.attachment,
            let urls = urls(of: manifest, publication)
        else { return }
        let edit = payload.replacing(reference, limit: settings.payloadLimit) { surface in
            let rendition = surface.rendition(in: manifest) ?? main
            let url = urls[rendition.role] ?? urls[main.role] ?? reference.location
            return APNsPayload.Replacement(url, DeliveryNote.Rendition(rendition))
        }
        if let explanation = edit.explanation {
            notes.append(explanation)
        } else if manifest.published.allSatisfy({ isRecorded($0, &notes) }) {
            payload = edit.payload
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
    private func isRecorded(_ rendition: Manifest.Rendition, _ notes: inout [String]) -> Bool {
        guard case .container(let published, _) = publishing.place else { return true }
        do throws(ContainerError) {
            if try published.record(rendition) { return true }
            notes.append(
                "the picture's location is unchanged: the rendition was removed; try again")
        } catch {
            notes.append("the picture's location is unchanged: \(error)")
        }
        return false
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
