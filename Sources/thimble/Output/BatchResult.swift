import AttachmentContainer
import AttachmentModel
import AttachmentPublishing

/// Result of one attachment of `thimble batch`.
struct BatchResult: Sendable {
    enum Outcome: Sendable {
        case done(ProcessedAttachment)
        case notPicture
        case failed(SourceFailure)
    }

    let identifier: String
    /// The name in messages.
    let name: String
    /// Length of the attachment; 0 if it could not be opened or fetched.
    let bytes: ByteCount
    let outcome: Outcome
    let duration: Duration
    /// Of a rendition that was to be published.
    let publication: PublishingProcessor.Publication

    /// The failure to process or to publish; nil without one.
    var failure: SourceFailure? {
        if case .failed(let failure) = outcome { return failure }
        if case .failure(let failure) = publication { return failure }
        return nil
    }
}

extension BatchResult {
    init(_ result: FolderBatch.Result, _ publication: PublishingProcessor.Publication) {
        self.publication = publication
        identifier = result.item.identifier
        name = identifier
        bytes = result.item.bytes
        duration = result.duration
        outcome =
            switch result.outcome {
            case .done(let done): .done(done)
            case .notPicture: .notPicture
            case .failed(let error): .failed(SourceFailure(error))
            }
    }
}
