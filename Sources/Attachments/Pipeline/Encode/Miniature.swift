package import AttachmentContainer

/// A picture of at most 100 pixels a side, for the placeholder and for finding attention.
package struct Miniature {
    package let size: PixelSize
    /// Rows from the top, four sRGB samples a pixel, alpha last and not premultiplied.
    package let rgba: [UInt8]

    /// The size of a miniature, of at least one pixel a side.
    package static func size(of picture: PixelSize) -> PixelSize {
        let longest = max(picture.width, picture.height)
        let factor = max(1, Double(longest) / Double(ThumbHash.longestSide))
        return PixelSize(
            width: max(1, Int(Double(picture.width) / factor)),
            height: max(1, Int(Double(picture.height) / factor)))
    }

    package init(size: PixelSize, rgba: [UInt8]) {
        (self.size, self.rgba) = (size, rgba)
    }
}
