public import AttachmentContainer

/// A small picture that a camera put beside the large one.
public struct EmbeddedPreview: Sendable, Hashable, Codable {
    /// The size as stored, in pixels.
    public var size: PixelSize
    /// Where it lies in the attachment, in bytes; nil when the decoder finds it by itself, as in
    /// HEIF.
    public var bytes: Range<Int>?
    /// The headers of the coded frames in HEIF; empty for other formats.
    public var frames: [FrameHeader]

    /// Describes an embedded picture.
    ///
    /// - Parameters:
    ///   - size: The size as stored, in pixels.
    ///   - bytes: Where it lies in the attachment, in bytes. The default is nil.
    ///   - frames: The headers of the coded frames in HEIF. The default is none.
    public init(size: PixelSize, bytes: Range<Int>? = nil, frames: [FrameHeader] = []) {
        self.size = size
        self.bytes = bytes
        self.frames = frames
    }
}
