import AttachmentModel

/// Processing of uploaded attachments.
protocol AttachmentIntake: Sendable {
    /// Makes the renditions of an attachment and publishes them under an identifier.
    func process(
        _ upload: Upload, _ label: AttachmentLabel, until deadline: ContinuousClock.Instant
    ) async throws(Problem) -> ProcessedAttachment

    /// Reads the header of an attachment and plans it.
    func inspect(
        _ upload: Upload, until deadline: ContinuousClock.Instant
    ) async throws(Problem) -> InspectedAttachment
}

/// Identifier and category of an uploaded attachment.
struct AttachmentLabel: Sendable {
    /// Nil for the digest of the bytes, so that equal attachments share a manifest.
    var identifier: String?
    var category: String?

    /// Longest identifier and category, in code points, as in `/openapi.json`.
    static let maximumLength = 256

    func checked() throws(Problem) -> AttachmentLabel {
        for (name, value) in [("identifier", identifier), ("category", category)] {
            guard let value else { continue }
            guard 1...Self.maximumLength ~= value.unicodeScalars.count, !value.utf8.contains(0)
            else {
                throw .invalid(name, "from 1 to \(Self.maximumLength) characters without NUL")
            }
        }
        return self
    }
}
