public import AttachmentContainer

/// Limits on downloads.
public struct DownloadSettings: Sendable, Hashable {
    /// Limit on a file's length.
    ///
    /// The default is 50 MB, the system's limit on attachments.
    public var maximumBytes: ByteCount = .megabytes(50)
    /// True to allow `http`, which others can read and change in transit.
    ///
    /// The default is false: only `https`, on every redirection.
    public var allowsInsecureTransfer = false

    /// Creates settings with every default.
    public init() {}
}
