/// The identifier under which the renditions of an attachment are published.
public enum ManifestNaming: Sendable, Hashable {
    /// The notification's identifier: one manifest per notification, as a content extension needs.
    case notification
    /// `Manifest.identifier(ofSource:settings:)`: one manifest per picture, without a category, for
    /// any number of notifications.
    case picture
}
