public import AttachmentContainer

/// What a download may take, and from where.
public struct DownloadSettings: Sendable, Hashable {
    /// The longest file that is taken.
    ///
    /// The default is 50 MB, the longest that the system takes as an attachment.
    public var maximumBytes: ByteCount = .megabytes(50)
    /// Whether `http` will do, where everybody on the way can read and change what passes.
    ///
    /// The default is false: only `https`, on every hop of a redirection.
    public var allowsInsecureTransfer = false

    /// Makes settings with every default.
    public init() {}
}
