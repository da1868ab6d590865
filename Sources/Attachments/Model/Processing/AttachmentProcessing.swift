/// Processor of attachments.
///
/// The two implementations are `AttachmentProcessor`, which works in the calling process, and
/// `WorkerPool`, which hands each attachment to a supervised process under a hard cap.
public protocol AttachmentProcessing: Sendable {
    /// Makes the renditions of an attachment and publishes them under an identifier.
    ///
    /// Results already in the container for the same bytes and settings are reused. Cancellation
    /// stops the work and leaves nothing behind.
    func process(_ request: AttachmentRequest) async throws(AttachmentError) -> ProcessedAttachment

    /// Reads the header of an attachment and plans it, without decoding or publishing.
    func inspect(_ request: AttachmentRequest) async throws(AttachmentError) -> InspectedAttachment
}

extension AttachmentProcessing {
    /// Makes the renditions of an attachment and publishes them under an identifier.
    public func process(
        _ path: String, identifier: String, category: String? = nil
    ) async throws(AttachmentError) -> ProcessedAttachment {
        try await process(AttachmentRequest(path: path, identifier: identifier, category: category))
    }

    /// Reads the header of an attachment and plans it, without decoding or publishing.
    public func inspect(_ path: String) async throws(AttachmentError) -> InspectedAttachment {
        try await inspect(AttachmentRequest(path: path, identifier: ""))
    }
}
