import AttachmentContainer
import AttachmentModel
import AttachmentPipeline

extension Miniature {
    init(of image: VipsImage) throws(VipsError) {
        let longest = max(image.size.width, image.size.height)
        let factor = (longest + ThumbHash.longestSide - 1) / ThumbHash.longestSide
        let small = try image.applying(
            "shrink",
            [
                "hshrink": .double(Double(min(factor, image.size.width))),
                "vshrink": .double(Double(min(factor, image.size.height))),
            ])
        let colour = try convertColour(small, to: .sRGB, expectsProfile: false).image
        let complete = try
            (colour.isGrey
            ? colour.applying("colourspace", ["space": .name("srgb")]) : colour).withAlpha()
        self.init(size: complete.size, rgba: try complete.samples())
    }
}
