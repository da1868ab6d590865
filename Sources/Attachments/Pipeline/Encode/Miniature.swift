package import AttachmentContainer

/// A picture of at most 100 pixels a side, for the placeholder and for finding attention.
package struct Miniature {
    package let size: PixelSize
    /// Rows from the top, four sRGB samples a pixel, alpha last and not premultiplied.
    package let rgba: [UInt8]

    package init(size: PixelSize, rgba: [UInt8]) {
        (self.size, self.rgba) = (size, rgba)
    }
}
