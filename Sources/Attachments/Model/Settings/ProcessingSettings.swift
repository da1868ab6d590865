public import AttachmentContainer

/// Settings for the renditions, and limits on the input.
///
/// Fields have the same names on the command line and in code. Start from the defaults, change what
/// you need and call ``validate()``.
public struct ProcessingSettings: Sendable, Hashable, Codable {
    /// Footprint that must never be reached; by default 24 MiB, as for service extensions.
    public var cap: MemoryCap = .serviceExtension
    /// Presets whose renditions are made; by default the content extension's renditions.
    public var presets = PresetSelection.content
    /// Width of the content extension, in points; by default 440, the widest iPhone.
    public var width: Double = 440
    /// Pixels per point of that display; by default 3.
    public var scale: Double = 3
    /// Limit on the decoded bytes of the expanded rendition, four a pixel; by default 8 MiB.
    public var renderBudget: ByteCount = .mebibytes(8)
    /// Height divided by width of the crop to the most salient part; by default nil, no crop.
    public var cropRatio: Double?
    /// Side of the square banner, in points; by default 88.
    public var bannerSide: Double = 88
    /// First JPEG quality, from 1 to 100; by default 80.
    ///
    /// A quality gives about the SSIMULACRA2 score that libjpeg's gives, in fewer bytes. A JPEG that
    /// is reduced by less than half gets at most its own quality.
    public var quality: Int = 80
    /// Time that the engine of rows spends on shorter JPEGs; by default no more than libjpeg's
    /// encoder.
    public var effort: Effort = .standard
    /// SSIMULACRA2 score that JPEG renditions aim at, from 1 to 100, in place of a quality; by default
    /// nil.
    ///
    /// 90 shows no difference at usual distances, 70 is high quality, 50 medium. Each picture is
    /// encoded and scored up to six times, and again as 4:4:4 where halved chroma would need a quality
    /// above 95. Byte ceilings take precedence. ImageIO's renditions cannot be scored, and are refused.
    public var targetScore: Double?
    /// Maximum file length of a rendition; by default 10 MB, the system's limit for images.
    public var maximumBytes: ByteCount = .megabytes(10)
    /// Colour space of the renditions; by default sRGB.
    public var colourSpace: ColourSpace = .sRGB
    /// Type of stills, JPEG or PNG; by default nil, for the one that suits each picture.
    ///
    /// A picture with transparency becomes no JPEG: that is an error.
    public var stillType: RenditionType?
    /// True to average light instead of coded samples when stills are reduced; by default false.
    ///
    /// Fine bright detail on dark keeps its brightness. Files that are kept and frames of animations
    /// are not affected. ImageIO refuses it.
    public var isLinear = false
    /// True to decode the intact part of damaged pictures; by default damage is an error.
    public var toleratesTruncation = false
    /// Choice of decoders; by default bounded ones when the library would hold the whole picture.
    public var decoder: DecoderChoice = .automatic
    /// Choice of the engine; by default libvips only for pictures outside the engine of rows.
    public var engine: EngineChoice = .automatic
    /// Folder on a disk for unnamed scratch files; by default nil, the container's own folder.
    public var scratchFolder: String?
    /// Maximum size of one process's scratch files; by default 1 GB, and zero disables them.
    public var maximumScratchBytes: ByteCount = .megabytes(1000)
    /// Maximum number of pixels of an attachment; by default 300 million.
    public var maximumPixels: Int = 300_000_000
    /// Maximum pixels per byte of attachments above 64 million pixels; by default 100 thousand.
    ///
    /// Ordinary pictures stay below a hundred. A short header that claims a huge picture costs its
    /// decoder as much as any other.
    public var maximumPixelsPerByte: Int = 100_000
    /// Maximum length of an attachment; by default 200 MB.
    public var maximumSourceBytes: ByteCount = .megabytes(200)
    /// Decoded bytes that the content extension may spend on all frames of an animation together.
    ///
    /// The default is 48 MiB, at four bytes a pixel, less than half of the 120 MB that another kind
    /// of extension has. No limit is published for content extensions, which hold all frames
    /// decoded.
    public var animationRenderBudget: ByteCount = .mebibytes(48)
    /// Limits on animations; larger ones are refused.
    public var animationLimits = AnimationLimits()
    /// Length limits for sounds and movies, by default the system's.
    public var media = MediaLimits()

    /// Creates settings with default values.
    public init() {}

    /// Checks every field against its range; the error names the first invalid one.
    public func validate() throws(SettingsError) {
        try SettingsError.check(cap.footprint.bytes >= 1, "cap", "at least 1 byte")
        try SettingsError.check(
            !presets.presets.isEmpty, "presets", "at least one of \(Preset.names)")
        try SettingsError.check(
            width.isFinite && 1...10_000 ~= width, "width", "from 1 to 10000 points")
        try SettingsError.check(scale.isFinite && 0.5...10 ~= scale, "scale", "from 0.5 to 10")
        try SettingsError.check(
            bannerSide.isFinite && 1...1000 ~= bannerSide, "bannerSide", "from 1 to 1000 points")
        try SettingsError.check(
            cropRatio.map { $0.isFinite && $0 > 0 } ?? true, "cropRatio", "a finite number above 0")
        try SettingsError.check(
            renderBudget.bytes >= 4, "renderBudget", "at least 4 bytes, one pixel")
        try SettingsError.check(1...100 ~= quality, "quality", "from 1 to 100")
        try SettingsError.check(
            targetScore.map { 1...100 ~= $0 } ?? true, "targetScore", "from 1 to 100")
        try SettingsError.check(
            targetScore == nil || quality == Self().quality, "targetScore",
            "nil where quality is set, because the score chooses the quality")
        try SettingsError.check(maximumBytes.bytes >= 1, "maximumBytes", "at least 1 byte")
        try SettingsError.check(stillType != .gif, "stillType", "JPEG or PNG")
        try SettingsError.check(maximumPixels >= 1, "maximumPixels", "at least 1")
        try SettingsError.check(maximumPixelsPerByte >= 1, "maximumPixelsPerByte", "at least 1")
        try SettingsError.check(
            maximumSourceBytes.bytes >= 1, "maximumSourceBytes", "at least 1 byte")
        try SettingsError.check(
            maximumScratchBytes.bytes >= 0, "maximumScratchBytes", "at least 0 bytes")
        try SettingsError.check(
            animationRenderBudget.bytes >= 4, "animationRenderBudget", "at least 4 bytes, one pixel"
        )
        try SettingsError.check(animationLimits.frames >= 1, "animationLimits.frames", "at least 1")
        try SettingsError.check(
            animationLimits.seconds.isFinite && animationLimits.seconds > 0,
            "animationLimits.seconds", "a finite number above 0")
        try SettingsError.check(animationLimits.pixels >= 1, "animationLimits.pixels", "at least 1")
        try SettingsError.check(
            animationLimits.drawnPixels >= 1, "animationLimits.drawnPixels", "at least 1")
        try SettingsError.check(media.sound.bytes >= 0, "media.sound", "at least 0 bytes")
        try SettingsError.check(media.movie.bytes >= 0, "media.movie", "at least 0 bytes")
    }

    /// Maximum width of the expanded rendition, in pixels.
    public var widthInPixels: Int { max(1, Int((width * scale).rounded())) }

    /// Side of the banner, in pixels.
    public var bannerSideInPixels: Int { max(1, Int((bannerSide * scale).rounded())) }

    /// Maximum length of the file of a rendition.
    ///
    /// - Parameter role: The role of a picture in the manifest.
    /// - Returns: The settings' maximum, or the preset's surface's maximum if it is lower.
    public func maximumBytes(of role: RenditionRole) -> ByteCount {
        let surface = Preset.allCases.first { $0.role == role }?.surface
        return min(surface?.maximumBytes ?? maximumBytes, maximumBytes)
    }
}

extension ProcessingSettings {
    /// Choices of decoders.
    public enum DecoderChoice: String, Sendable, Codable, CaseIterable {
        /// Bounded decoders when the library would hold the whole picture.
        case automatic = "auto"
        /// The library's decoders only: for comparison, and as a workaround.
        case library
    }

    /// Choices of the engine that resizes, converts and encodes.
    public enum EngineChoice: String, Sendable, Codable, CaseIterable {
        /// ``Engine/rows`` where possible, otherwise ``Engine/libvips``.
        case automatic = "auto"
        /// ``Engine/libvips`` for every picture but converted animations: for comparison, and as a
        /// workaround.
        case libvips
    }

    /// Efforts of encoding JPEGs and palettes of PNGs.
    public enum Effort: String, Sendable, Codable, CaseIterable {
        /// Coefficients are rounded by thresholds.
        case standard = "default"
        /// Coefficients are rounded by rate and distortion: 2 to 3 % fewer bytes at the same quality,
        /// for 2 to 3 times the encoder's time. Palettes are compressed at zlib's highest level: 2 % fewer
        /// bytes of photographs, up to 27 % of drawings, for 2 to 10 times the time of compression.
        case best
    }

    /// Colour spaces of renditions.
    public enum ColourSpace: String, Sendable, Codable, CaseIterable {
        /// sRGB, untagged, which every display assumes.
        case sRGB = "srgb"
        /// Display P3, tagged, for attachments with a profile wider than sRGB; sRGB for others.
        case displayP3 = "p3"
    }
}
