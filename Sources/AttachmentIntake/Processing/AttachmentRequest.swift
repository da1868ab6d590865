package import AttachmentContainer
public import AttachmentPlanning

/// What is asked for one attachment.
public struct AttachmentRequest: Sendable {
    /// The attachment's file, which is only read.
    public let path: String
    /// The notification's identifier.
    ///
    /// What stood under it is replaced. It is private: errors and logs do not repeat it.
    public let identifier: String
    /// The notification's category; nil for none.
    public let category: String?
    /// When the answer must be there; nil for any time.
    public var deadline: ContinuousClock.Instant?
    /// Only rungs of the ladder below this one are tried; nil for all.
    ///
    /// A supervisor sets it when a worker was lost on that rung.
    public var below: Plan.Rung?
    /// The file, when it is open already; nil to open it by its path.
    ///
    /// A supervisor hands it to a worker that may open no path.
    package var file: AttachmentFile?

    /// The movie that the attachment is a frame of, published already; nil when it is one of its own.
    ///
    /// The renditions of the frame go into the movie's manifest.
    package var posterOf: Manifest?

    /// Asks for one attachment.
    ///
    /// - Parameters:
    ///   - path: The attachment's file.
    ///   - identifier: The notification's identifier.
    ///   - category: The notification's category. The default is none.
    ///   - deadline: When the answer must be there. The default is any time.
    ///   - below: Only rungs below this one are tried. The default is all.
    public init(
        path: String, identifier: String, category: String? = nil,
        deadline: ContinuousClock.Instant? = nil, below: Plan.Rung? = nil
    ) {
        self.path = path
        self.identifier = identifier
        self.category = category
        self.deadline = deadline
        self.below = below
    }

    /// The file, opened by its path when it is not open already.
    ///
    /// - Returns: The file.
    /// - Throws: `AttachmentError` with code `unreadable` or `empty`.
    package func openFile() throws(AttachmentError) -> AttachmentFile {
        if let file { return file }
        return try AttachmentFile(path: path)
    }
}
