public import AttachmentContainer

/// An attachment whose notification is in the container.
public struct ProcessedAttachment: Sendable {
    /// What the content extension will read.
    public let manifest: Manifest
    /// How much work it took.
    public let work: Work

    /// How much work an attachment took.
    public enum Work: String, Sendable, Codable {
        /// The renditions were made.
        case made
        /// Another notification had renditions of the same bytes with the same settings.
        case reused
        /// The notification was in the container already, made of the same bytes with the same
        /// settings.
        case unchanged
    }
}
