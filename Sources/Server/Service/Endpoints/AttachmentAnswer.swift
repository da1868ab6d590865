import AttachmentContainer
import AttachmentModel
import NotificationStaging

/// The JSON of an attachment in the container.
struct AttachmentAnswer: Encodable, Sendable {
    let identifier: String
    /// Nil for an attachment that was only looked up.
    var work: ProcessedAttachment.Work?
    /// URL of the main published rendition for devices; nil if nothing is published.
    var url: String?
    /// URLs of all published renditions, by role; nil for the main one alone.
    var urls: [String: String]?
    let manifest: Manifest
    /// Paths of the renditions on this service, by role.
    let paths: [String: String]

    /// `published` has the main rendition first.
    init(
        _ manifest: Manifest, work: ProcessedAttachment.Work? = nil,
        published: [PublishedURL]? = nil
    ) {
        identifier = manifest.identifier
        self.work = work
        url = published?.first?.url
        urls = published?.byRole
        self.manifest = manifest
        paths = Dictionary(
            manifest.renditions.map { ($0.role.rawValue, "/v1/renditions/\($0.file)") },
            uniquingKeysWith: { first, _ in first })
    }
}
