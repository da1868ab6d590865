import AttachmentContainer
import NotificationDelivery
import NotificationPayload

/// Writes the answers for attachments into their payloads.
struct PayloadEditor: Sendable {
    private let published: PublishedRenditions
    private let options: StageOptions

    init(_ container: SharedContainer, _ options: StageOptions) {
        published = PublishedRenditions(in: container)
        self.options = options
    }

    /// The payload with the published locations and the note, and its report.
    func result(of staged: StagedPayload, _ answers: [DeliveryAnswer]) -> PayloadFilter.Result {
        var notes = staged.notes
        var payload = staged.payload
        for (reference, answer) in zip(staged.references, answers) {
            replaceLocation(of: reference, by: answer, in: &payload, &notes)
        }
        if options.note, let note = answers.note {
            let edit = payload.adding(
                note, at: options.noteKey.path, limit: options.payloadLimit)
            if let explanation = edit.explanation { notes.append(explanation) }
            payload = edit.payload
        }
        return PayloadFilter.Result(
            bytes: payload.bytes,
            reports: [StageReport(answers, line: staged.line, notes: notes)])
    }

    private func replaceLocation(
        of reference: AttachmentReference, by answer: DeliveryAnswer,
        in payload: inout APNsPayload, _ notes: inout [String]
    ) {
        guard let base = options.publishUrl, let rendition = answer.outcome.manifest?.attachment
        else { return }
        let url = base + (base.hasSuffix("/") ? "" : "/") + rendition.file
        let edit = payload.replacing(
            reference, with: url, rendition: answer.note.rendition, limit: options.payloadLimit)
        if let explanation = edit.explanation {
            notes.append(explanation)
        } else if isRecorded(rendition, &notes) {
            payload = edit.payload
        }
    }

    /// Records the URL before it is published, so that pruning keeps its file.
    private func isRecorded(_ rendition: Manifest.Rendition, _ notes: inout [String]) -> Bool {
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
