import AttachmentContainer

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
