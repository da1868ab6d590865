import AttachmentContainer
public import NotificationPayload

extension DeliveryAnswer {
    /// The part of the answer that goes into a payload, for the code that shows the notification.
    ///
    /// It has the identifier if the container has renditions for it.
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
