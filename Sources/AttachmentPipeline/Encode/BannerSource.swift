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

    /// Finds the most telling square, as large as the picture allows.
    ///
    /// - Parameters:
    ///   - side: The side wanted, in pixels.
    ///   - attention: Where this picture draws it.
    /// - Returns: The square.
    func square(side: Int, where attention: Attention) -> Square {
        let side = min(side, image.size.width, image.size.height)
        let share = attention.square()
        return Square(
            left: Int((share.horizontal * Double(image.size.width - side)).rounded()),
            top: Int((share.vertical * Double(image.size.height - side)).rounded()),
            side: side, picture: image.size)
    }

    /// Cuts a square out.
    ///
    /// - Parameter square: A square of this picture.
    /// - Returns: A square picture.
    /// - Throws: `VipsError` with libvips' own words.
    func cut(_ square: Square) throws(VipsError) -> VipsImage {
        try image.applying(
            "extract_area",
            [
                "left": .int(square.left), "top": .int(square.top), "width": .int(square.side),
                "height": .int(square.side),
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

extension BannerSource {
    /// A square in a picture.
    struct Square {
        /// The distance of its left edge from the picture's, in pixels.
        let left: Int
        /// The distance of its upper edge from the picture's, in pixels.
        let top: Int
        /// Its side, in pixels.
        let side: Int
        /// The size of the picture, in pixels.
        let picture: PixelSize

        /// What part of the picture it is.
        var part: UnitRectangle? {
            let (width, height) = (Double(picture.width), Double(picture.height))
            return UnitRectangle(
                x: Double(left) / width, y: Double(top) / height, width: Double(side) / width,
                height: Double(side) / height)
        }
    }
}
