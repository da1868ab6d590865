import AttachmentPipeline

/// What `--version` says.
enum Version {
    static let text = "thimble 0.1.0 (libvips \(Libraries.vipsVersion))"
}
