import AttachmentContainer
import AttachmentPlanning

/// Cuts off what a plan does not keep: the part that draws the most attention stays.
///
/// - Parameters:
///   - image: The reduced picture, upright and held: it is read twice.
///   - plan: The plan, which says how large the part is.
/// - Returns: The part, and where in the picture it was; the picture itself where the whole is kept.
/// - Throws: `VipsError` with libvips' own words.
func crop(
    _ image: VipsImage, by plan: Plan
) throws(VipsError) -> (image: VipsImage, part: UnitRectangle?) {
    guard plan.isCropped else { return (image, nil) }
    let cutout = Cutout(
        plan.expandedSize, of: image.size, where: Attention(try Miniature(of: image)))
    return (try image.cut(cutout), cutout.part)
}
