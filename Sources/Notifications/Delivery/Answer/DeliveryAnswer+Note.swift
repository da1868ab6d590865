package import AttachmentContainer
public import NotificationPayload

extension DeliveryAnswer {
    /// The part of the answer that goes into a payload, for the code that shows the notification.
    ///
    /// It has the identifier of the manifest if the container has renditions for it.
    public var note: DeliveryNote {
        let manifest = outcome.manifest
        return DeliveryNote(
            outcome: outcome.kind, reason: reasons.first?.code.rawValue,
            identifier: manifest?.identifier, contentSizeRatio: manifest?.contentSizeRatio,
            placeholder: manifest?.placeholder.rawValue,
            averageColour: manifest?.averageColour.rawValue,
            rendition: manifest?.attachment.map { DeliveryNote.Rendition($0) })
    }
}

extension DeliveryNote.Rendition {
    /// The reference to a rendition of a manifest.
    package init(_ rendition: Manifest.Rendition) {
        let size = rendition.size == .zero ? nil : rendition.size
        self.init(
            file: rendition.file, type: rendition.type, bytes: rendition.bytes.bytes,
            width: size?.width, height: size?.height)
    }
}

extension Collection<DeliveryAnswer> {
    /// The note on several attachments, in the order of the payload: on the first with a picture, and
    /// in `others` on further ones; nil without any.
    ///
    /// An attachment without a picture has no note: the device may still get it from its own location.
    public var note: DeliveryNote? {
        var notes: [DeliveryNote] = []
        for (index, answer) in enumerated() where answer.outcome.kind != .withoutPicture {
            var note = answer.note
            note.index = index
            notes.append(note)
        }
        guard var first = notes.first else { return nil }
        first.others = Array(notes.dropFirst())
        return first
    }
}
