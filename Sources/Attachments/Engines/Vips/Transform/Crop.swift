import AttachmentContainer
import AttachmentPipeline
import AttachmentPlanning

/// Crops a picture to the plan's size, keeping the part that draws the most attention.
///
/// The picture must be reduced, upright and held, because it is read twice. The part is nil if the
/// whole picture is kept.
func crop(
    _ image: VipsImage, by plan: Plan
) throws(VipsError) -> (image: VipsImage, part: UnitRectangle?) {
    guard plan.isCropped else { return (image, nil) }
    let cutout = Cutout(
        plan.expandedSize, of: image.size, where: Attention(try Miniature(of: image)))
    return (try image.cut(cutout), cutout.part)
}

extension VipsImage {
    func cut(_ cutout: Cutout) throws(VipsError) -> VipsImage {
        try applying(
            "extract_area",
            [
                "left": .int(cutout.left), "top": .int(cutout.top),
                "width": .int(cutout.size.width), "height": .int(cutout.size.height),
            ], input: "input")
    }
}
