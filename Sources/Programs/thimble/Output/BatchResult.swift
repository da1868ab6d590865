import AttachmentContainer
import AttachmentModel
import AttachmentPublishing

/// Result of one attachment of `thimble batch`.
struct BatchResult: Sendable {
    enum Outcome: Sendable {
        case done(ProcessedAttachment)
        case notPicture
        case failed(SourceFailure)
        /// A folder whose files are unknown.
        case unreadableFolder(SourceFailure)
    }

    let identifier: String
    /// The name in messages.
    let name: String
    /// The line of a list, counted from 1; nil for a file of a folder.
    var line: Int?
    /// Length of the attachment; 0 if it could not be opened or fetched.
    let bytes: ByteCount
    let outcome: Outcome
    let duration: Duration
    /// Publication of a rendition that was to be published.
    let publication: PublishingProcessor.Publication

    /// The failure to process or to publish; nil without one.
    var failure: SourceFailure? {
        switch outcome {
        case .failed(let failure), .unreadableFolder(let failure): return failure
        case .done, .notPicture: break
        }
        if case .failure(let failure) = publication { return failure }
        return nil
    }

    /// True if an interruption ended the work.
    var isCancelled: Bool { failure?.isCancellation == true }

    /// True if the container could not store the renditions.
    var isStorageFailure: Bool { failure?.isStorageFailure == true }
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
            case .unreadableFolder(let error): .unreadableFolder(SourceFailure(error))
            }
    }
}
