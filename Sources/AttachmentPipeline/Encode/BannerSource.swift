import AttachmentContainer
import AttachmentPlanning

/// A picture as small as the banner allows, held: the banner and the placeholder are made from it, so
/// that the expanded rendition is decoded only once more.
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
    ///   - context: Where it may lie; that of a panorama is many times as large as the banner.
    /// - Throws: `VipsError` with libvips' own words.
    init(
        of input: VipsInput, _ rendition: AttachmentHeader, side: Int,
        strictness: DecodeStrictness, _ context: RenderingContext
    ) throws(VipsError) {
        let plan = Planner.bannerPlan(of: rendition, side: side)
        let decoded = try decode(input, by: plan, strictness: strictness)
        image = try hold(
            resize(
                decoded, to: plan.reducedSize,
                box: Planner.box(from: decoded.size, to: plan.reducedSize)),
            context)
    }
}
