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
        let expanded =
            try isKept
            ? EncodedRendition(keeping: plan.header)
            : context.fit(
                shown, part: part, quality: plan.quality(atMost: context.settings.quality),
                floor: side)
        let small = try context.calling { () throws(SystemFault) in
            try shown.scaled(to: Planner.coveringSize(of: shown.size, side: side))
        }
        let miniature = try context.calling { () throws(SystemFault) in try Miniature(of: small) }
        guard let placeholder = Placeholder(miniature) else {
            throw AttachmentError(
                .corrupt, file: context.file.path,
                reason: "its miniature came out at \(miniature.size) pixels")
        }
        let square = min(side, small.size.width, small.size.height)
        let cutout = Cutout(
            PixelSize(width: square, height: square), of: small.size, where: Attention(miniature))
        let banner = try context.fit(
            try context.calling { () throws(SystemFault) in try small.cut(cutout) },
            part: cutout.part, quality: context.settings.quality, floor: side / 4)
        return Stills(expanded: expanded, banner: banner, placeholder: placeholder)
    }

    /// Crops to the most salient part, if the plan does.
    private func crop(
        _ picture: Decoder.Picture, _ context: RenderingContext
    ) throws(AttachmentError) -> (picture: Decoder.Picture, part: UnitRectangle?) {
        guard context.plan.isCropped, context.plan.treatment == .encode else {
            return (picture, nil)
        }
        return try context.calling { () throws(SystemFault) in
            let cutout = Cutout(
                context.plan.expandedSize, of: picture.size,
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
        self.init(
            file: context.file, format: plan.header.format,
            source: Source(plan), size: plan.treatment == .encode ? plan.reducedSize : covering,
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
