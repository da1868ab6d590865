public import AttachmentContainer

/// The URL of a published rendition, for devices.
public struct PublishedURL: Sendable, Hashable {
    /// The rendition's role.
    public let role: RenditionRole
    /// The URL.
    public let url: String

    init(role: RenditionRole, url: String) {
        self.role = role
        self.url = url
    }
}
