import AttachmentContainer
public import NotificationPayload

extension DeliveryAnswer {
    /// What of the answer goes into a payload, for whoever shows the notification.
    ///
    /// The identifier is in it where the container has something under it.
    public var note: DeliveryNote {
        let manifest = outcome.manifest
        return DeliveryNote(
            outcome: outcome.kind, reason: reasons.first?.code.rawValue,
            identifier: manifest?.identifier, contentSizeRatio: manifest?.contentSizeRatio,
            placeholder: manifest?.placeholder.rawValue,
            averageColour: manifest?.averageColour.rawValue,
            rendition: manifest?.attachment.map { .init(file: $0.file, type: $0.type) })
    }
}
