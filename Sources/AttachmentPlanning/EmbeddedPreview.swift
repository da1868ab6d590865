public import AttachmentContainer

/// Small picture that a camera embedded beside the large one.
public struct EmbeddedPreview: Sendable, Hashable, Codable {
    /// Stored size, in pixels.
    public var size: PixelSize
    /// Byte range in the attachment; nil when the decoder locates the preview itself, as in HEIF.
    public var bytes: Range<Int>?
    /// Headers of HEIF's coded frames; empty for other formats.
    public var frames: [FrameHeader]

    /// Creates a description of an embedded preview.
    ///
    /// - Parameters:
    ///   - size: The stored size, in pixels.
    ///   - bytes: The byte range in the attachment. The default is nil.
    ///   - frames: The headers of HEIF's coded frames. The default is empty.
    public init(size: PixelSize, bytes: Range<Int>? = nil, frames: [FrameHeader] = []) {
        self.size = size
        self.bytes = bytes
        self.frames = frames
    }
}
