package import AttachmentContainer
package import AttachmentModel
package import AttachmentPipeline
package import AttachmentPlanning
import Foundation

/// The engine of the system: thumbnail → crop → encode, and from the thumbnail banner and placeholder.
///
/// It takes every picture, by the plans of ``ImageIOPlanner``.
package struct SystemEngine<Decoder: SystemDecoding>: LibraryEngine {
    private let decoder: Decoder

    package init(_ decoder: Decoder) { self.decoder = decoder }

    package var version: String { decoder.version }

    /// Refuses linear light, because ImageIO and Core Graphics average coded samples.
    package static func check(_ settings: ProcessingSettings) throws(SettingsError) {
        try SettingsError.check(
            !settings.isLinear, "isLinear", "false with ImageIO, which averages coded samples")
    }

    package var writesSealedFiles: Bool { true }

    package func warmUp() {}

    package func warmUpAlone() {}

    package func ladder(
        of header: AttachmentHeader, _ settings: ProcessingSettings
    ) -> PlanLadder? { ImageIOPlanner(settings: settings).ladder(header) }

    package func makeStills(_ context: RenderingContext) throws(AttachmentError) -> Stills {
        let picture = try context.calling { () throws(SystemFault) in
            try decoder.decode(ThumbnailRequest(context))
        }
        return try StillsMaker(SystemSteps<Decoder.Picture>(context: context))
            .stills(of: picture, notes: [])
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
