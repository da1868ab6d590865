import AttachmentModel
import AttachmentWorker
import NotificationCheck
import NotificationPayload
import NotificationPreview

/// The check of a drawn payload.
struct PreviewCheck: Sendable {
    let payload: APNsPayload
    /// The folder of local attachments.
    let folder: String
    let style: PayloadStyle

    /// The findings; workers inspect local attachments, and without workers none is inspected.
    func findings(by pool: WorkerPool?) async -> [PreviewFinding] {
        var input = CheckInput()
        input.payloads = [.bytes(payload.bytes, name: "payload", folder: folder)]
        input.payloadStyle = style
        let report = try? await ProjectCheck(input).run {
            path throws(AttachmentError) -> InspectedAttachment in
            guard let pool else {
                throw AttachmentError(.unreadable, file: path, reason: "it is not inspected")
            }
            return try await pool.inspect(AttachmentRequest(path: path, identifier: "check"))
        }
        return (report?.findings ?? []).map {
            PreviewFinding(
                severity: $0.severity.rawValue, isError: $0.severity == .error,
                message: $0.message, consequence: $0.consequence, remedy: $0.remedy)
        }
    }
}
