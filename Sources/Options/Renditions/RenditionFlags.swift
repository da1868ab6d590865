public import ArgumentParser

/// The settings of renditions on the command line, as text; ``RenditionOption`` declares them.
public struct RenditionFlags: ParsableArguments, Sendable {
    @Option(RenditionOption.cap) package var cap: String?
    @Option(RenditionOption.preset) package var preset: [String]
    @Option(RenditionOption.width) package var width: String?
    @Option(RenditionOption.scale) package var scale: String?
    @Option(RenditionOption.renderBudget) package var renderBudget: String?
    @Option(RenditionOption.cropRatio) package var cropRatio: String?
    @Option(RenditionOption.bannerSide) package var bannerSide: String?
    @Option(RenditionOption.quality) package var quality: String?
    @Option(RenditionOption.effort) package var effort: String?
    @Option(RenditionOption.targetScore) package var targetScore: String?
    @Option(RenditionOption.maxBytes) package var maxBytes: String?
    @Option(RenditionOption.animationRenderBudget) package var animationRenderBudget: String?
    @Option(RenditionOption.maxFrames) package var maxFrames: String?
    @Option(RenditionOption.maxDuration) package var maxDuration: String?
    @Option(RenditionOption.maxCanvas) package var maxCanvas: String?
    @Option(RenditionOption.maxFramePixels) package var maxFramePixels: String?
    @Option(RenditionOption.maxSoundBytes) package var maxSoundBytes: String?
    @Option(RenditionOption.maxMovieBytes) package var maxMovieBytes: String?
    @Option(RenditionOption.colourSpace) package var colourSpace: String?
    @Flag(RenditionOption.linear) package var linear: Bool?
    @Flag(RenditionOption.tolerateTruncation) package var tolerateTruncation: Bool?
    @Option(RenditionOption.decoder) package var decoder: String?
    @Option(RenditionOption.engine) package var engine: String?
    @Option(RenditionOption.scratch) package var scratch: String?
    @Option(RenditionOption.maxScratch) package var maxScratch: String?
    @Option(RenditionOption.maxPixels) package var maxPixels: String?
    @Option(RenditionOption.maxPixelsPerByte) package var maxPixelsPerByte: String?
    @Option(RenditionOption.maxSourceBytes) package var maxSourceBytes: String?

    /// Creates flags without values.
    public init() {}

    /// Refuses options that exclude each other.
    ///
    /// - Throws: `ValidationError` naming them.
    public func validate() throws {
        guard quality != nil, let targetScore, targetScore != "none" else { return }
        throw ValidationError(
            "Only one of '--quality' and '--target-score' can be given: the score chooses the "
                + "quality.")
    }
}
