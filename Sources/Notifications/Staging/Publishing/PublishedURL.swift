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

extension [PublishedURL] {
    /// The URLs of several renditions by role; nil for a single one, or none.
    public var byRole: [String: String]? {
        guard count > 1 else { return nil }
        return Dictionary(map { ($0.role.rawValue, $0.url) }) { first, _ in first }
    }
}
