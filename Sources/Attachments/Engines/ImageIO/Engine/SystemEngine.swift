import AttachmentContainer
package import AttachmentModel
package import AttachmentPipeline
package import AttachmentPlanning
import Foundation

/// The engine of the system: thumbnail → crop → encode, and from the thumbnail banner and placeholder.
///
/// It takes every picture, by the plans of ``ImageIOPlanner``.
package struct SystemEngine<Decoder: SystemDecoding>: PictureEngine {
    private let decoder: Decoder

    package init(_ decoder: Decoder) { self.decoder = decoder }

    package var version: String { decoder.version }

    package func warmUp() {}

    package func warmUpAlone() {}

    package func ladder(
        of header: AttachmentHeader, _ settings: ProcessingSettings
    ) -> PlanLadder? { ImageIOPlanner(settings: settings).ladder(header) }

    package func makeStills(_ context: RenderingContext) throws(AttachmentError) -> Stills {
        let (plan, side) = (context.plan, context.settings.bannerSideInPixels)
        // A file that is kept is decoded for the banner alone.
        let isKept = plan.treatment != .encode
        let picture = try context.calling { () throws(SystemFault) in
            try decoder.decode(ThumbnailRequest(context))
        }
        let (shown, part) = try crop(picture, context)
        var expanded: EncodedRendition?
        if plan.presets.includesContent {
            expanded =
                try isKept
                ? EncodedRendition(keeping: plan.header)
                : context.fit(
                    shown, as: .expanded, part: part,
                    quality: plan.quality(atMost: context.settings.quality, of: plan.wholeSize),
                    floor: side)
        }
        let small = try context.calling { () throws(SystemFault) in
            try shown.scaled(to: Planner.coveringSize(of: shown.size, side: side))
        }
        let miniature = try context.calling { () throws(SystemFault) in try Miniature(of: small) }
        guard let placeholder = Placeholder(miniature) else {
            throw AttachmentError(
                .corrupt, file: context.file.path,
                reason: "its miniature came out at \(miniature.size) pixels")
        }
        let attention = Attention(miniature)
        let banner =
            plan.presets.includesBanner
            ? try makeBanner(of: small, where: attention, context) : nil
        return Stills(
            expanded: expanded, banner: banner,
            others: try makeRenditions(of: picture, where: attention, context),
            placeholder: placeholder)
    }

    private func makeBanner(
        of small: Decoder.Picture, where attention: Attention, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        let side = min(
            context.settings.bannerSideInPixels, small.size.width, small.size.height)
        let cutout = Cutout(
            PixelSize(width: side, height: side), of: small.size, where: attention)
        return try context.fit(
            try context.calling { () throws(SystemFault) in try small.cut(cutout) },
            as: .banner, part: cutout.part, quality: context.settings.quality, floor: side / 4)
    }

    /// Makes renditions of presets with a surface of their own, one after the other.
    ///
    /// `attention` is measured in the expanded rendition's part.
    private func makeRenditions(
        of picture: Decoder.Picture, where attention: Attention, _ context: RenderingContext
    ) throws(AttachmentError) -> [EncodedRendition] {
        let plan = context.plan
        guard !plan.renditions.isEmpty else { return [] }
        let whole =
            plan.isCropped
            ? Attention(
                try context.calling { () throws(SystemFault) in try Miniature(of: picture) })
            : attention
        var renditions: [EncodedRendition] = []
        for planned in plan.renditions {
            let cutout = planned.isCropped ? Cutout(planned, of: picture.size, where: whole) : nil
            let part = PixelPart(
                left: cutout?.left ?? 0, top: cutout?.top ?? 0,
                size: cutout?.size ?? picture.size)
            let drawn = try context.calling { () throws(SystemFault) in
                try picture.drawn(part, to: planned.size(within: part.size))
            }
            renditions.append(
                try context.fit(
                    drawn, as: planned.preset.role, part: cutout?.part,
                    quality: plan.quality(
                        atMost: context.settings.quality, of: planned.wholeSize),
                    floor: planned.floor))
        }
        return renditions
    }

    /// Reduces to the size of the expanded rendition and crops to the most salient part, if the plan
    /// does.
    private func crop(
        _ picture: Decoder.Picture, _ context: RenderingContext
    ) throws(AttachmentError) -> (picture: Decoder.Picture, part: UnitRectangle?) {
        let plan = context.plan
        guard plan.isCropped || plan.isReducedTwice, plan.treatment == .encode else {
            return (picture, nil)
        }
        return try context.calling { () throws(SystemFault) in
            let picture = try picture.scaled(to: plan.wholeSize)
            guard plan.isCropped else { return (picture, nil) }
            let cutout = Cutout(
                plan.expandedSize, of: picture.size,
                where: Attention(try Miniature(of: picture)))
            return (try picture.cut(cutout), cutout.part)
        }
    }
}

extension SystemPicture {
    fileprivate func cut(_ cutout: Cutout) throws(SystemFault) -> Self {
        try drawn(
            PixelPart(left: cutout.left, top: cutout.top, size: cutout.size), to: cutout.size)
    }
}

extension ThumbnailRequest {
    fileprivate init(_ context: RenderingContext) {
        let plan = context.plan
        let covering = Planner.coveringSize(
            of: plan.reducedSize, side: context.settings.bannerSideInPixels)
        let isWhole = plan.treatment == .encode || !plan.renditions.isEmpty
        self.init(
            file: context.file, format: plan.header.format,
            source: Source(plan), size: isWhole ? plan.reducedSize : covering,
            colourSpace: context.settings.colourSpace,
            isTolerant: context.settings.toleratesTruncation,
            isCancelled: context.isCancelled)
    }
}

extension ThumbnailRequest.Source {
    fileprivate init(_ plan: Plan) {
        switch plan.rung {
        case .outOfProcess: self = .service
        case .preview: self = .embedded
        default: self = .picture(subsampling: plan.loadShrink)
        }
    }
}

extension Miniature {
    fileprivate init(of picture: some SystemPicture) throws(SystemFault) {
        let longest = max(picture.size.width, picture.size.height)
        let factor = max(1, Double(longest) / Double(ThumbHash.longestSide))
        let size = PixelSize(
            width: max(1, Int(Double(picture.size.width) / factor)),
            height: max(1, Int(Double(picture.size.height) / factor)))
        self.init(size: size, rgba: try picture.scaled(to: size).rgba())
    }
}
