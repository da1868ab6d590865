import AttachmentContainer
import AttachmentModel

/// A picture of at most 100 pixels a side, for the placeholder and for finding attention.
struct Miniature {
    let size: PixelSize
    /// Rows from the top, four sRGB samples a pixel, alpha last and not premultiplied.
    let rgba: [UInt8]

    init(size: PixelSize, rgba: [UInt8]) {
        (self.size, self.rgba) = (size, rgba)
    }

    init(of image: VipsImage) throws(VipsError) {
        let longest = max(image.size.width, image.size.height)
        let factor = (longest + Placeholder.longestSide - 1) / Placeholder.longestSide
        let small = try image.applying(
            "shrink",
            [
                "hshrink": .double(Double(min(factor, image.size.width))),
                "vshrink": .double(Double(min(factor, image.size.height))),
            ])
        let colour = try convertColour(small, to: .sRGB)
        let complete = try
            (colour.isGrey
            ? colour.applying("colourspace", ["space": .name("srgb")]) : colour).withAlpha()
        size = complete.size
        rgba = try complete.samples()
    }
}
