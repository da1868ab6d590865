import AttachmentContainer
import Foundation
import NotificationDelivery
import NotificationPayload
import PrometheusMetrics
import ServiceOptions

/// Staging by a delivery stage, behind the queue.
struct DeliveryStaging: PayloadStaging {
    let stage: DeliveryStage
    let container: SharedContainer
    let queue: WorkQueue
    let metrics: ServiceMetrics
    let style: PayloadStyle
    let payloadLimit: Int
    /// Empty for payloads whose locations stay unchanged.
    let publishURL: String

    private static let categoryPath = JSONPath(keys: "aps", "category")

    func stage(
        _ document: JSONDocument, until deadline: ContinuousClock.Instant, isStreamed: Bool
    ) async throws(Problem) -> StagedAnswer {
        let payload: APNsPayload
        do throws(PayloadError) {
            payload = try APNsPayload(document)
        } catch {
            throw Problem(error)
        }
        guard let reference = payload.attachments(style).first else {
            return recorded(
                StagedAnswer(
                    bytes: payload.bytes, outcome: DeliveryNote.Kind.withoutPicture.rawValue,
                    reason: DeliveryReason.Code.noAttachment.rawValue))
        }
        let request = request(for: payload, reference, until: deadline)
        let answer: DeliveryAnswer
        switch request.attachment {
        // Needs no worker.
        case .none, .unavailable: answer = await stage.deliver(request)
        case .file, .opened:
            let entry = ContinuousClock.now
            do throws(WorkQueue.Refusal) {
                answer = try await queue.run(
                    bytes: payload.size, until: deadline, isCounted: !isStreamed
                ) {
                    metrics.record(.queue, ContinuousClock.now - entry)
                    return await stage.deliver(request)
                }
            } catch .late {
                // Past its deadline, the stage answers at once.
                answer = await stage.deliver(request)
            } catch {
                throw Problem(error)
            }
        }
        let edited = edit(payload, reference, answer)
        return recorded(
            StagedAnswer(
                bytes: edited.bytes, outcome: answer.outcome.kind.rawValue,
                reason: answer.reasons.first?.code.rawValue))
    }

    private func recorded(_ answer: StagedAnswer) -> StagedAnswer {
        metrics.payloads.increment(answer.outcome)
        return answer
    }

    private func request(
        for payload: APNsPayload, _ reference: AttachmentReference,
        until deadline: ContinuousClock.Instant
    ) -> DeliveryRequest {
        let category = payload.document.value(at: Self.categoryPath)?.string
        let content = NotificationContent(
            identifier: identifier(of: payload, naming: reference), categoryIdentifier: category,
            attachments: [reference])
        return DeliveryRequest(content, attachment: attachment(reference), deadline: deadline)
    }

    /// The identifier of the payload's notification in the container, as in `thimble stage`.
    ///
    /// Payloads with different pictures may share an SDK's identifier, so the location is added to
    /// it.
    private func identifier(
        of payload: APNsPayload, naming reference: AttachmentReference
    ) -> String {
        if let own = payload.identifier(at: [APNsPayload.ownIdentifierPath]) { return own }
        // Without any identifier, equal bytes are the same notification.
        guard let shared = payload.identifier() else {
            return ContentDigest(of: String(decoding: payload.bytes, as: UTF8.self)).rawValue
        }
        // 128 bits, so that senders cannot construct colliding locations.
        return "\(shared)#\(ContentDigest(of: reference.location).rawValue.prefix(32))"
    }

    private func attachment(_ reference: AttachmentReference) -> DeliveryRequest.Attachment {
        if let path = reference.localPath { return .file(URL(fileURLWithPath: path)) }
        return .unavailable(
            DeliveryReason(
                .unavailable, message: "the picture is on another machine",
                remedy: "upload it first, or name a file of this machine in the payload"))
    }

    private func edit(
        _ payload: APNsPayload, _ reference: AttachmentReference, _ answer: DeliveryAnswer
    ) -> APNsPayload {
        let note = answer.note
        var payload = payload
        if !publishURL.isEmpty, let rendition = answer.outcome.manifest?.attachment {
            let url = publishURL + (publishURL.hasSuffix("/") ? "" : "/") + rendition.file
            let edit = payload.replacing(
                reference, with: url, rendition: note.rendition, limit: payloadLimit)
            // The record is first, so that pruning keeps the file of a URL that was given out.
            if edit.explanation == nil, (try? container.recordPublished(rendition)) == true {
                payload = edit.payload
            }
        }
        return payload.adding(note, limit: payloadLimit).payload
    }
}
