import AttachmentContainer
import AttachmentModel

/// The JSON of an attachment in the container.
struct AttachmentAnswer: Encodable, Sendable {
    let identifier: String
    /// Nil for an attachment that was only looked up.
    var work: ProcessedAttachment.Work?
    /// URL of the published rendition for devices; nil if nothing is published.
    var url: String?
    let manifest: Manifest
    /// Paths of the renditions on this service, by role.
    let paths: [String: String]

    init(_ manifest: Manifest, work: ProcessedAttachment.Work? = nil, url: String? = nil) {
        identifier = manifest.identifier
        self.work = work
        self.url = url
        self.manifest = manifest
        paths = Dictionary(
            manifest.renditions.map { ($0.role.rawValue, "/v1/renditions/\($0.file)") },
            uniquingKeysWith: { first, _ in first })
    }
}
