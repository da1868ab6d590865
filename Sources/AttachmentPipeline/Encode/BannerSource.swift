import AttachmentContainer
import AttachmentPlanning

/// A picture as small as the banner allows, held in memory: the banner and the placeholder are made
/// from it, so that the expanded rendition is decoded only once more.
struct BannerSource {
    /// In the colours of the expanded rendition.
    let image: VipsImage

    /// Decodes the encoded expanded rendition.
    ///
    /// - Parameters:
    ///   - input: The bytes of the expanded rendition.
    ///   - rendition: Its header.
    ///   - side: The side of the banner wanted, in pixels.
    ///   - strictness: Which damage is an error. A rendition of ours has none, a copied one may.
    /// - Throws: `VipsError` with libvips' own words.
    init(
        of input: VipsInput, _ rendition: AttachmentHeader, side: Int,
        strictness: DecodeStrictness
    ) throws(VipsError) {
        let plan = Planner.bannerPlan(of: rendition, side: side)
        let decoded = try decode(input, by: plan, strictness: strictness)
        image = try resize(
            decoded, to: plan.expandedSize,
            box: Planner.box(from: decoded.size, to: plan.expandedSize)
        ).inMemory()
    }

    /// The most telling square, as large as the picture allows.
    ///
    /// - Parameters:
    ///   - side: The side wanted, in pixels.
    ///   - attention: Where this picture draws it.
    /// - Returns: A square picture.
    /// - Throws: `VipsError` with libvips' own words.
    func banner(side: Int, where attention: Attention) throws(VipsError) -> VipsImage {
        let side = min(side, image.size.width, image.size.height)
        let square = attention.square()
        let left = (square.horizontal * Double(image.size.width - side)).rounded()
        let top = (square.vertical * Double(image.size.height - side)).rounded()
        return try image.applying(
            "extract_area",
            [
                "left": .int(Int(left)), "top": .int(Int(top)), "width": .int(side),
                "height": .int(side),
            ], input: "input")
    }

    /// A picture of at most 100 pixels a side, for the placeholder and for finding attention.
    ///
    /// - Returns: The size, and four sRGB samples a pixel, alpha last and not premultiplied.
    /// - Throws: `VipsError` with libvips' own words.
    func miniature() throws(VipsError) -> (size: PixelSize, rgba: [UInt8]) {
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
        return (complete.size, try complete.samples())
    }
}
