import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning

/// Renditions of presets with a surface of their own, from the held decoded picture.
extension VipsEngine {
    /// The source of banner and placeholder.
    enum BannerSource {
        case expanded(EncodedRendition)
        /// A small picture, without an expanded rendition.
        case picture(VipsStill)
    }

    /// Makes all renditions but the banner, and releases the decoded picture.
    func makeRenditions(
        _ steps: VipsSteps, by maker: StillsMaker<VipsSteps>
    ) throws(AttachmentError) -> (source: BannerSource, others: [EncodedRendition]) {
        let context = steps.context
        let (picture, notes) = try decodedPicture(context)
        let attention = Attention(try steps.miniature(of: picture))
        let shown = try maker.shown(of: picture, where: attention)
        let expanded = try maker.expanded(of: shown, notes: notes)
        let others = try maker.renditions(of: picture, where: attention)
        if let expanded { return (.expanded(expanded), others) }
        let small = try steps.reduced(picture, to: context.sizeCoveringBanner(of: picture.size))
        return try context.decoding { () throws(VipsError) in
            let held = try hold(small.image, in: context.scratch)
            return (.picture(VipsStill(image: held, isSmall: true)), others)
        }
    }

    /// Decodes the picture once and holds it, because every rendition is made from it.
    private func decodedPicture(
        _ context: RenderingContext
    ) throws(AttachmentError) -> (picture: VipsStill, notes: [String]) {
        try context.decoding { () throws(VipsError) in
            var picture = try render(context)
            let image = try picture.read()
            let held = picture.order == .any ? image : try hold(image, in: context.scratch)
            return (VipsStill(image: try held.withoutOpaqueAlpha()), picture.notes)
        }
    }
}
