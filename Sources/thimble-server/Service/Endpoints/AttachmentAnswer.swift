import AttachmentContainer
import AttachmentModel

/// The JSON of an attachment in the container.
struct AttachmentAnswer: Encodable, Sendable {
    let identifier: String
    /// Nil for an attachment that was only looked up.
    var work: ProcessedAttachment.Work?
    let manifest: Manifest
    /// Paths of the renditions on this service, by role.
    let paths: [String: String]

    init(_ manifest: Manifest, work: ProcessedAttachment.Work? = nil) {
        identifier = manifest.identifier
        self.work = work
        self.manifest = manifest
        paths = Dictionary(
            manifest.renditions.map { ($0.role.rawValue, "/v1/renditions/\($0.file)") },
            uniquingKeysWith: { first, _ in first })
    }
}
