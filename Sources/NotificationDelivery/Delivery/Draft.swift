import AttachmentContainer

/// An answer in the making, its file ready.
struct Draft: Sendable {
    var outcome = DeliveryAnswer.Outcome.withoutPicture
    /// The file to attach, and what it is.
    var picture: (file: HandedFile, type: AttachableType)?
    var clipping: UnitRectangle?
    var reasons: [DeliveryReason] = []

    /// Removes the file, unless the draft that takes this one's place has the same.
    func discardFile(for other: Draft) {
        guard let file = picture?.file, file !== other.picture?.file else { return }
        file.discard()
    }

    /// The same with reasons before its own.
    func because(_ reasons: [DeliveryReason]) -> Draft {
        var draft = self
        draft.reasons = reasons + self.reasons
        return draft
    }
}
