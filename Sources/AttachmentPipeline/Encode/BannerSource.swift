import AttachmentContainer
import AttachmentModel
import AttachmentPlanning

/// A small held picture for banner and placeholder, so that the expanded rendition is decoded only
/// once.
struct BannerSource {
    /// The picture, in the colours of the expanded rendition.
    let image: VipsImage

    /// Decodes the encoded expanded rendition; that of a panorama is much larger than the banner.
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
