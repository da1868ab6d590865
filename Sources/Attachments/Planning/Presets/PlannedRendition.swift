public import AttachmentContainer
public import AttachmentModel

/// The rendition of a preset with a surface of its own.
public struct PlannedRendition: Sendable, Hashable {
    /// The preset.
    public let preset: Preset
    /// The room for the rendition.
    public let surface: Surface
    /// Upright size of the whole picture before any crop, in pixels.
    package let wholeSize: PixelSize
    /// Size of the rendition, in pixels.
    public let size: PixelSize
    /// Size without a limit on memory, in pixels.
    public let requestedSize: PixelSize
    /// True if the surface's number of pixels limits the size, and not its sides.
    package let isLimitedByPixels: Bool

    /// True if the picture is cropped.
    public var isCropped: Bool { size != wholeSize }
}
