import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning
import CSystemCalls

/// Renditions of presets with a surface of their own, from the held decoded picture.
extension VipsEngine {
    /// The source of banner and placeholder.
    enum BannerSource {
        case expanded(EncodedRendition)
        /// A small picture, without an expanded rendition.
        case picture(VipsImage)
    }

    /// Makes all renditions but the banner, and releases the decoded picture.
    func makeRenditions(
        _ context: RenderingContext
    ) throws(AttachmentError) -> (source: BannerSource, others: [EncodedRendition]) {
        let picture = try decodedPicture(context)
        let attention = Attention(
            try context.decoding { () throws(VipsError) in try Miniature(of: picture.image) })
        let expanded = try makeExpanded(of: picture, where: attention, context)
        let others = try makeRenditions(of: picture.image, where: attention, context)
        if let expanded { return (.expanded(expanded), others) }
        return (.picture(try smallPicture(of: picture.image, context)), others)
    }

    /// The decoded picture, readable any number of times.
    private struct DecodedPicture {
        let image: VipsImage
        let notes: [String]
    }

    /// Decodes the picture once and holds it: every rendition is made from it.
    private func decodedPicture(
        _ context: RenderingContext
    ) throws(AttachmentError) -> DecodedPicture {
        try context.decoding { () throws(VipsError) in
            var picture = try render(context)
            let image = try picture.read()
            let held = picture.order == .any ? image : try hold(image, in: context.scratch)
            return DecodedPicture(image: try held.withoutOpaqueAlpha(), notes: picture.notes)
        }
    }

    /// Makes the expanded rendition of the decoded picture; nil if it is not among the presets.
    private func makeExpanded(
        of picture: DecodedPicture, where attention: Attention, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition? {
        let plan = context.plan
        guard plan.presets.includesContent else { return nil }
        guard plan.treatment != .copy else { return EncodedRendition(keeping: plan.header) }
        let (rendered, part) = try context.decoding {
            () throws(VipsError) -> (VipsImage, UnitRectangle?) in
            let whole = try resize(
                picture.image, to: plan.wholeSize,
                box: Planner.box(from: picture.image.size, to: plan.wholeSize))
            guard plan.isCropped else { return (try whole.withoutOpaqueAlpha(), nil) }
            let cutout = Cutout(plan.expandedSize, of: whole.size, where: attention)
            return (try whole.cut(cutout).withoutOpaqueAlpha(), cutout.part)
        }
        if plan.treatment == .copyUnlessOpaque, rendered.hasAlpha {
            return EncodedRendition(keeping: plan.header)
        }
        return try encode(
            rendered, as: .expanded, part: part, notes: picture.notes, of: plan.wholeSize,
            floor: context.settings.bannerSideInPixels, context)
    }

    private func makeRenditions(
        of picture: VipsImage, where attention: Attention, _ context: RenderingContext
    ) throws(AttachmentError) -> [EncodedRendition] {
        var renditions: [EncodedRendition] = []
        for planned in context.plan.renditions {
            // Free heap pages of the last rendition count toward the footprint of this one.
            thimble_trim_heap()
            let (rendered, part) = try context.decoding {
                () throws(VipsError) -> (VipsImage, UnitRectangle?) in
                var (part, crop) = (picture, nil as UnitRectangle?)
                if planned.isCropped {
                    let cutout = Cutout(planned, of: picture.size, where: attention)
                    (part, crop) = (try picture.cut(cutout), cutout.part)
                }
                // Before the reduction, which may round an opaque sample down.
                part = try part.withoutOpaqueAlpha()
                let size = planned.size(within: part.size)
                let reduced = try resize(
                    part, to: size, box: Planner.box(from: part.size, to: size))
                return (reduced, crop)
            }
            renditions.append(
                try encode(
                    rendered, as: planned.preset.role, part: part, notes: [],
                    of: planned.wholeSize, floor: planned.floor, context))
        }
        return renditions
    }

    /// `whole` is the size of the whole picture before any crop, in pixels.
    private func encode(
        _ image: VipsImage, as role: RenditionRole, part: UnitRectangle?, notes: [String],
        of whole: PixelSize, floor: Int, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        // Rows of two reductions at a time would be needed if later attempts read this graph.
        var picture = RenderedPicture(streaming: image)
        picture.notes = notes
        return try context.fit(
            picture, as: role, part: part,
            rerender: { () throws(VipsError) in RenderedPicture(streaming: image) },
            quality: context.plan.quality(atMost: context.settings.quality, of: whole),
            floor: floor)
    }

    /// A picture for banner and placeholder without an expanded rendition.
    private func smallPicture(
        of picture: VipsImage, _ context: RenderingContext
    ) throws(AttachmentError) -> VipsImage {
        let size = Planner.coveringSize(
            of: picture.size, side: context.settings.bannerSideInPixels)
        return try context.decoding { () throws(VipsError) in
            try hold(
                resize(picture, to: size, box: Planner.box(from: picture.size, to: size)),
                in: context.scratch)
        }
    }
}
