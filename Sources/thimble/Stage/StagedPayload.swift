import AttachmentContainer
import NotificationPayload

/// A payload with attachments.
struct StagedPayload: Sendable {
    let payload: APNsPayload
    /// The first line in the stream, counted from 1.
    let line: Int
    let category: String?
    /// The attachments to process, at least one.
    let references: [AttachmentReference]
    /// Notes for the report.
    let notes: [String]

    /// The identifier in the container of the notification with one of its attachments.
    ///
    /// The first attachment has that of the payload's own identifier, which is read beside the note
    /// or at `thimble.id`. Payloads with different pictures may share an SDK's identifier, and a
    /// payload may have several attachments, so the location is added in these cases.
    func identifier(naming reference: AttachmentReference, noteKey: JSONPath) -> String {
        let isFirst = reference.location == references.first?.location
        let own = payload.identifier(at: [
            noteKey.appending(.key("id")), APNsPayload.ownIdentifierPath,
        ])
        if let own, isFirst { return own }
        let shared = own ?? payload.identifier()
        // Without any identifier, equal bytes are the same notification.
        let base =
            shared ?? ContentDigest(of: String(decoding: payload.bytes, as: UTF8.self)).rawValue
        if shared == nil, isFirst { return base }
        // 128 bits, so that senders cannot construct colliding locations.
        return "\(base)#\(ContentDigest(of: reference.location).rawValue.prefix(32))"
    }
}
