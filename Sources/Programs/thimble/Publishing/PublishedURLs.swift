import AttachmentContainer
import AttachmentModel
import NotificationStaging

/// URLs of the renditions of one attachment, for devices.
struct PublishedURLs: Sendable {
    /// URL of the main rendition.
    let main: String
    /// URLs by role, for several renditions; nil for the main one alone.
    let byRole: [String: String]?

    /// Nil without any; the first is the main one.
    init?(_ urls: [PublishedURL]) {
        guard let main = urls.first?.url else { return nil }
        self.main = main
        byRole = urls.byRole
    }

    /// Labelled lines.
    var lines: [String] {
        ["  url \(main)"]
            + (byRole ?? [:]).sorted { $0.key < $1.key }.map { "  url of \($0.key) \($0.value)" }
    }
}
