/// Something that turns attachments into notifications: in this process or in workers.
///
/// The two implementations are `AttachmentProcessor`, which works in the calling process, and
/// `WorkerPool`, which hands each attachment to a supervised process under a hard cap.
public protocol AttachmentProcessing: Sendable {
    /// Makes the renditions of an attachment and publishes them under an identifier.
    ///
    /// What the container holds already for the same bytes and settings is not made again. When the
    /// task is cancelled, the work stops and leaves nothing behind.
    ///
    /// - Parameter request: The file, whose notification it is, and until when.
    /// - Returns: The manifest, how much work it took and how much memory.
    /// - Throws: `AttachmentError` with the file, the reason and the remedy.
    func process(_ request: AttachmentRequest) async throws(AttachmentError) -> ProcessedAttachment
}

extension AttachmentProcessing {
    /// Makes the renditions of an attachment and publishes them under an identifier.
    ///
    /// - Parameters:
    ///   - path: The attachment's file. It is only read.
    ///   - identifier: The notification's identifier. What stood under it is replaced.
    ///   - category: The notification's category. The default is none.
    /// - Returns: The manifest, how much work it took and how much memory.
    /// - Throws: `AttachmentError` with the file, the reason and the remedy.
    public func process(
        _ path: String, identifier: String, category: String? = nil
    ) async throws(AttachmentError) -> ProcessedAttachment {
        try await process(
            AttachmentRequest(path: path, identifier: identifier, category: category))
    }
}
