import AttachmentContainer
import AttachmentPlanning

/// A picture as small as the banner allows, held in memory: the banner and the placeholder are made
/// from it, so that the expanded rendition is decoded only once more.
struct Preview {
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
        let plan = Planner.previewPlan(of: rendition, side: side)
        let decoded = try decode(input, by: plan, strictness: strictness)
        image = try resize(decoded, to: plan.expandedSize).inMemory()
    }

    /// The most telling square, as large as the picture allows.
    ///
    /// - Parameter side: The side wanted, in pixels.
    /// - Returns: A square picture.
    /// - Throws: `VipsError` with libvips' own words.
    func banner(side: Int) throws(VipsError) -> VipsImage {
        let side = VipsArgument.int(min(side, image.size.width, image.size.height))
        return try image.applying(
            "smartcrop",
            ["width": side, "height": side, "interesting": .name("attention")], input: "input")
    }

    /// The pixels for a placeholder: red, green, blue and alpha, not premultiplied, in sRGB.
    ///
    /// - Parameter side: The longest side, in pixels.
    /// - Returns: The size, and four bytes a pixel.
    /// - Throws: `VipsError` with libvips' own words.
    func pixels(within side: Int) throws(VipsError) -> (size: PixelSize, rgba: [UInt8]) {
        let factor = (max(image.size.width, image.size.height) + side - 1) / side
        let small = try image.applying(
            "shrink",
            [
                "hshrink": .double(Double(min(factor, image.size.width))),
                "vshrink": .double(Double(min(factor, image.size.height))),
            ])
        let colour = try convertColour(small, to: .sRGB)
            .applying("colourspace", ["space": .name("srgb")])
        let complete =
            colour.hasAlpha
            ? colour : try colour.applying("bandjoin_const", ["c": .doubles([255])])
        return (complete.size, try complete.samples())
    }
}
