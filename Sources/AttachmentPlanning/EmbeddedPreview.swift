public import AttachmentContainer

/// A small picture that a camera put beside the large one.
public struct EmbeddedPreview: Sendable, Hashable, Codable {
    /// The size as stored, in pixels.
    public var size: PixelSize
    /// Where it lies in the attachment, in bytes; nil when the decoder finds it by itself, as in
    /// HEIF.
    public var bytes: Range<Int>?

    /// Describes an embedded picture.
    ///
    /// - Parameters:
    ///   - size: The size as stored, in pixels.
    ///   - bytes: Where it lies in the attachment, in bytes. The default is nil.
    public init(size: PixelSize, bytes: Range<Int>? = nil) {
        self.size = size
        self.bytes = bytes
    }
}
