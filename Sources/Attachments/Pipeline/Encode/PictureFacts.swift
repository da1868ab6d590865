package import AttachmentContainer
package import AttachmentPlanning

/// A picture to be encoded as a rendition.
package struct PictureFacts {
    package let order: RenditionOrder
    package let size: PixelSize
    package let hasAlpha: Bool
    package let isGrey: Bool
    package let content: PictureContent
    /// True if 4:4:4 is worth an attempt (``ChromaDetail``).
    package let hasSharpChroma: Bool

    package init(
        _ order: RenditionOrder, size: PixelSize, hasAlpha: Bool, isGrey: Bool,
        content: PictureContent = .continuous, hasSharpChroma: Bool = false
    ) {
        (self.order, self.size) = (order, size)
        (self.hasAlpha, self.isGrey) = (hasAlpha, isGrey)
        (self.content, self.hasSharpChroma) = (content, hasSharpChroma)
    }

    /// The same picture, with an attempt of 4:4:4.
    var withSharpChroma: PictureFacts {
        PictureFacts(
            order, size: size, hasAlpha: hasAlpha, isGrey: isGrey, content: content,
            hasSharpChroma: true)
    }
}
