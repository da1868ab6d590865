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

    /// What is shown until, or instead of, a picture.
    ///
    /// - Returns: A blurred likeness and the average colour, in sRGB.
    /// - Throws: `VipsError` with libvips' own words.
    func placeholder() throws(VipsError) -> Placeholder {
        let longest = max(image.size.width, image.size.height)
        let factor = (longest + Placeholder.longestSide - 1) / Placeholder.longestSide
        let small = try image.applying(
            "shrink",
            [
                "hshrink": .double(Double(min(factor, image.size.width))),
                "vshrink": .double(Double(min(factor, image.size.height))),
            ])
        let colour = try convertColour(small, to: .sRGB)
            .applying("colourspace", ["space": .name("srgb")])
        let complete = try colour.withAlpha()
        guard let made = Placeholder(size: complete.size, rgba: try complete.samples()) else {
            throw VipsError(operation: "shrink", message: "gave \(complete.size) pixels")
        }
        return made
    }
}
