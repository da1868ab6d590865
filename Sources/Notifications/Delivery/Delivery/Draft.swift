import AttachmentContainer
import Foundation
import NotificationPayload

struct Draft: Sendable {
    var outcome = DeliveryAnswer.Outcome.withoutPicture
    var picture: (file: HandedFile, type: AttachableType)?
    var clipping: UnitRectangle?
    var reasons: [DeliveryReason] = []

    /// Discards the file, unless the replacing draft has the same.
    func discardFile(for other: Draft) {
        guard let file = picture?.file, file !== other.picture?.file else { return }
        file.discard()
    }

    func adding(reasons: [DeliveryReason]) -> Draft {
        var draft = self
        draft.reasons = reasons + self.reasons
        return draft
    }
}

extension DeliveryAnswer {
    init(_ draft: Draft, of notification: NotificationContent, after elapsed: Duration = .zero) {
        let url = draft.picture?.file.url
        let attached = url.map { url in
            var reference =
                notification.attachments.first ?? AttachmentReference(identifier: "", location: "")
            reference.location = url.absoluteString
            reference.typeHint = draft.picture?.type.identifier
            return reference
        }
        var notification = notification
        notification.attachments = attached.map { [$0] } ?? []
        self.init(
            notification: notification, outcome: draft.outcome, picture: url,
            typeIdentifier: draft.picture?.type.identifier, thumbnailClipping: draft.clipping,
            reasons: draft.reasons, elapsed: elapsed)
    }
}
