package import AttachmentContainer

/// Request to process one attachment.
public struct AttachmentRequest: Sendable {
    /// Path of the attachment, opened for reading only.
    public let path: String
    /// Identifier of a new notification, or of one to replace; errors and logs omit it.
    public let identifier: String
    /// Notification category, or nil.
    public let category: String?
    /// The identifier of the manifest; by default the notification's.
    public var naming = ManifestNaming.notification
    /// Deadline of the result; nil for no deadline.
    public var deadline: ContinuousClock.Instant?
    /// Restricts the ladder to rungs below this one, on which a worker was lost; nil for all rungs.
    public var below: Rung?
    /// Presets of the renditions; by default nil, the presets of the processor's settings.
    public var presets: PresetSelection?
    /// The open file, in place of the one at `path`; the default is nil.
    ///
    /// For uploads, which have no path, and files that were checked and must not be replaced since.
    public var file: AttachmentFile?

    /// The movie to which this poster frame's renditions are added.
    package var posterOf: Manifest?

    /// Creates a request; by default without a category or deadline, and for all rungs.
    public init(
        path: String, identifier: String, category: String? = nil,
        deadline: ContinuousClock.Instant? = nil, below: Rung? = nil
    ) {
        self.path = path
        self.identifier = identifier
        self.category = category
        self.deadline = deadline
        self.below = below
    }

    /// The open file, or the one at `path`.
    ///
    /// - Throws: `AttachmentError` with the code `unreadable` or `empty`.
    public func openFile() throws(AttachmentError) -> AttachmentFile {
        if let file { return file }
        return try AttachmentFile(path: path)
    }

    /// The open file for another process, which gets its descriptor.
    ///
    /// - Throws: `AttachmentError` with the code `unreadable` or `empty`, and `unsupported` for an encrypted
    ///   attachment, whose key stays in this process.
    package func openFileToShare() throws(AttachmentError) -> AttachmentFile {
        let file = try openFile()
        guard !file.isEncrypted else {
            throw AttachmentError(
                .unsupported, file: path, reason: "workers decode no encrypted attachments",
                remedy: "process it with AttachmentProcessor or ImageIOProcessor")
        }
        return file
    }
}
