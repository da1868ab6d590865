import AttachmentContainer
package import AttachmentModel
import AttachmentPlanning
import CSystemCalls

/// Makes the stills of a decoded picture by the steps of an engine: expanded rendition, placeholder,
/// banner, renditions of presets with a surface of their own.
package struct StillsMaker<Steps: StillsSteps> {
    package typealias Picture = Steps.Picture

    private let steps: Steps
    private var context: RenderingContext { steps.context }

    package init(_ steps: Steps) { self.steps = steps }

    /// Makes all stills of a picture that covers every rendition.
    ///
    /// - Parameters:
    ///   - picture: The decoded picture; of a file that is kept, any size from the banner's.
    ///   - notes: Notes for the expanded rendition.
    /// - Returns: The stills.
    /// - Throws: `AttachmentError` of a step, or `corrupt` without a placeholder.
    package func stills(
        of picture: Picture, notes: [String]
    ) throws(AttachmentError) -> Stills {
        let content = try content(of: picture, notes)
        return Stills(
            expanded: content.expanded, banner: content.small.banner,
            others: try renditions(of: picture, where: content.attention),
            placeholder: content.small.placeholder)
    }

    /// Completes stills by placeholder and banner, from a picture that covers the banner.
    package func stills(
        expanded: EncodedRendition?, others: [EncodedRendition], of small: Picture
    ) throws(AttachmentError) -> Stills {
        let made = try smallStills(of: small)
        return Stills(
            expanded: expanded, banner: made.banner, others: others, placeholder: made.placeholder)
    }

    /// The part of a picture that the expanded rendition shows.
    package struct Shown {
        let picture: Picture
        let part: UnitRectangle?
        /// Attention of the whole picture; nil if it was not needed.
        let attention: Attention?
    }

    /// Reduces and crops the picture as the expanded rendition shows it.
    ///
    /// - Parameters:
    ///   - picture: The decoded picture.
    ///   - attention: The picture's attention; nil to find it if the plan crops.
    /// - Returns: The part of the reduced picture.
    /// - Throws: `AttachmentError` of a step.
    package func shown(
        of picture: Picture, where attention: Attention? = nil
    ) throws(AttachmentError) -> Shown {
        let plan = context.plan
        let isReduced = plan.isReducedTwice && !plan.isKept
        let whole = isReduced ? try steps.reduced(picture, to: plan.wholeSize) : picture
        guard plan.isCropped else {
            return Shown(picture: whole, part: nil, attention: attention)
        }
        let found: Attention =
            if let attention { attention } else { Attention(try steps.miniature(of: whole)) }
        let cutout = Cutout(plan.expandedSize, of: whole.size, where: found)
        let cut = try steps.cut(whole, to: cutout)
        return Shown(picture: cut.picture, part: cut.part, attention: found)
    }

    /// Makes the expanded rendition; nil without the preset of a content extension.
    package func expanded(
        of shown: Shown, notes: [String]
    ) throws(AttachmentError) -> EncodedRendition? {
        let plan = context.plan
        guard plan.presets.includesContent else { return nil }
        switch plan.treatment {
        case .copy: return EncodedRendition(keeping: plan.header)
        case .copyUnlessOpaque where !shown.picture.isOpaque:
            return EncodedRendition(keeping: plan.header)
        case .strip, .turn: return try steps.rewritten()
        case .copyUnlessOpaque, .encode:
            return try steps.encode(
                shown.picture, by: .expanded(part: shown.part, notes: notes, context))
        }
    }

    /// Makes the renditions of presets with a surface of their own, one after the other, so that only
    /// one is held at a time.
    package func renditions(
        of picture: Picture, where attention: Attention
    ) throws(AttachmentError) -> [EncodedRendition] {
        let plan = context.plan
        var renditions: [EncodedRendition] = []
        for planned in plan.renditions {
            // Free heap pages of the last rendition count toward the footprint of this one.
            thimble_trim_heap()
            let (cut, part) =
                planned.isCropped
                ? try steps.cut(picture, to: Cutout(planned, of: picture.size, where: attention))
                : (picture, nil)
            let rendered = try steps.reduced(cut, to: planned.size(within: cut.size))
            let order = RenditionOrder(
                planned.preset.role, part: part,
                quality: plan.quality(atMost: context.settings.quality, of: planned.wholeSize),
                floor: planned.floor)
            renditions.append(try steps.encode(rendered, by: order))
        }
        return renditions
    }

    /// The expanded rendition and the stills of its small picture, which is released.
    private func content(
        of picture: Picture, _ notes: [String]
    ) throws(AttachmentError) -> (
        expanded: EncodedRendition?, small: SmallStills, attention: Attention
    ) {
        let shown = try shown(of: picture)
        let expanded = try expanded(of: shown, notes: notes)
        let covering = context.sizeCoveringBanner(of: shown.picture.size)
        let made = try smallStills(of: try steps.reduced(shown.picture, to: covering))
        return (expanded, made, shown.attention ?? made.attention)
    }

    private struct SmallStills {
        let banner: EncodedRendition?
        let placeholder: Placeholder
        let attention: Attention
    }

    /// Makes placeholder and banner of a small picture.
    private func smallStills(of small: Picture) throws(AttachmentError) -> SmallStills {
        let miniature = try steps.miniature(of: small)
        guard let placeholder = Placeholder(miniature) else {
            throw AttachmentError(
                .corrupt, file: context.file.path,
                reason: "its miniature came out at \(miniature.size) pixels")
        }
        let attention = Attention(miniature)
        let banner =
            context.plan.presets.includesBanner ? try banner(of: small, where: attention) : nil
        return SmallStills(banner: banner, placeholder: placeholder, attention: attention)
    }

    private func banner(
        of small: Picture, where attention: Attention
    ) throws(AttachmentError) -> EncodedRendition {
        let (settings, size) = (context.settings, small.size)
        let side = min(settings.bannerSideInPixels, size.width, size.height)
        let square = Cutout(PixelSize(width: side, height: side), of: size, where: attention)
        let cut = try steps.cut(small, to: square)
        return try steps.encode(
            cut.picture,
            by: RenditionOrder(.banner, part: cut.part, quality: settings.quality, floor: side / 4))
    }
}
