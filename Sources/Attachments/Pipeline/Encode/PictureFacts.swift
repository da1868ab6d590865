package import AttachmentContainer
package import AttachmentPlanning

/// A picture to be encoded as a rendition.
package struct PictureFacts {
    package let role: RenditionRole
    package let size: PixelSize
    package let hasAlpha: Bool
    package let isGrey: Bool
    package let notes: [String]
    /// The part of the attachment, or for a banner of the expanded rendition; nil for the whole.
    package let part: UnitRectangle?
    /// First JPEG quality.
    package let quality: Int
    /// Minimum longer side of an attempt, in pixels.
    package let floor: Int
    package let content: PictureContent
    /// True if 4:4:4 is worth an attempt (``ChromaDetail``).
    package let hasSharpChroma: Bool

    package init(
        _ role: RenditionRole, size: PixelSize, hasAlpha: Bool, isGrey: Bool, notes: [String],
        part: UnitRectangle?, quality: Int, floor: Int, content: PictureContent = .continuous,
        hasSharpChroma: Bool = false
    ) {
        self.role = role
        (self.size, self.hasAlpha, self.isGrey) = (size, hasAlpha, isGrey)
        (self.notes, self.part) = (notes, part)
        (self.quality, self.floor, self.content) = (quality, floor, content)
        self.hasSharpChroma = hasSharpChroma
    }
}
