import AttachmentContainer
import NotificationDelivery
public import NotificationPayload

/// A payload, its attachments and the stage that delivers them.
public struct PayloadPlan: Sendable {
    /// The payload as it came.
    public let payload: APNsPayload
    let category: String?
    /// The attachments to process.
    package let references: [AttachmentReference]
    let stage: DeliveryStage
    /// Maximum size of the payload, in bytes.
    let limit: Int
    /// The reason that no attachment was found; nil if there is one.
    let unmatched: UnmatchedPayload?
    /// Remarks for people.
    package let notes: [String]

    /// The identifier in the container of the notification with one of its attachments.
    ///
    /// The first attachment has the payload's own identifier, which is read beside the note or at
    /// `thimble.id`. Payloads with different pictures may share an SDK's identifier, and a payload
    /// may have several attachments, so the location is added in these cases.
    func identifier(naming reference: AttachmentReference, notePath: JSONPath) -> String {
        let isFirst = reference.location == references.first?.location
        let own = payload.identifier(at: [
            notePath.appending(.key("id")), APNsPayload.ownIdentifierPath,
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
