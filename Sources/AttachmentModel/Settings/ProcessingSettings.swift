public import AttachmentContainer

/// Settings for the renditions, and limits on the input.
///
/// Fields have the same names on the command line and in code. Start from the defaults, change what
/// you need and call ``validate()``.
public struct ProcessingSettings: Sendable, Hashable, Codable {
    /// Footprint that the processing process must never reach.
    ///
    /// The default is 24 MiB, the limit of a service extension.
    public var cap: MemoryCap = .serviceExtension
    /// Width of the picture in the content extension, in points.
    ///
    /// The default is 440, the width of the widest iPhone.
    public var width: Double = 440
    /// Pixels per point of that display.
    ///
    /// The default is 3.
    public var scale: Double = 3
    /// Decoded bytes that the content extension may spend on the expanded rendition, at four bytes
    /// a pixel.
    ///
    /// The default is 8 MiB.
    public var renderBudget: ByteCount = .mebibytes(8)
    /// Height divided by width of the expanded rendition.
    ///
    /// The picture is cropped to its most salient part with this ratio, as large as possible.
    ///
    /// The default is nil: the whole picture is kept.
    public var cropRatio: Double?
    /// Side of the square banner, in points.
    ///
    /// The default is 88.
    public var bannerSide: Double = 88
    /// First JPEG quality, from 1 to 100.
    ///
    /// The default is 80.
    public var quality: Int = 80
    /// Maximum file length of a rendition.
    ///
    /// The default is 10 MB, the system's limit for image attachments.
    public var maximumBytes: ByteCount = .megabytes(10)
    /// Colour space of the renditions.
    ///
    /// The default is sRGB.
    public var colourSpace: ColourSpace = .sRGB
    /// True to decode the intact part of truncated or damaged pictures.
    ///
    /// The default is false: damage is an error.
    public var toleratesTruncation = false
    /// Choice of decoders.
    ///
    /// The default is automatic: bounded decoders when the library would hold the whole picture.
    public var decoder: DecoderChoice = .automatic
    /// Folder for scratch files, which must be on a disk.
    ///
    /// Scratch files have no names, so a crash leaves none behind. The default is nil: the
    /// container's own folder for unfinished files.
    public var scratchFolder: String?
    /// Maximum size of one process's scratch files at the same time; zero disables them.
    ///
    /// The default is 1 GB.
    public var maximumScratchBytes: ByteCount = .megabytes(1000)
    /// Maximum number of pixels of an attachment.
    ///
    /// The default is 300 million.
    public var maximumPixels: Int = 300_000_000
    /// Maximum pixels per byte of attachments above 64 million pixels.
    ///
    /// The default is 100 thousand. Ordinary pictures stay below a hundred. A short header that
    /// claims a huge picture of one colour costs its decoder as much as any other picture.
    public var maximumPixelsPerByte: Int = 100_000
    /// Maximum length of an attachment.
    ///
    /// The default is 200 MB.
    public var maximumSourceBytes: ByteCount = .megabytes(200)
    /// Decoded bytes that the content extension may spend on all frames of an animation together,
    /// at four bytes a pixel.
    ///
    /// The default is 48 MiB. A view that plays an animation holds all of its frames decoded. No
    /// limit is published for content extensions; another extension that shows pictures has 120 MB,
    /// part of which the interface uses. 48 MiB leave more than half.
    public var animationRenderBudget: ByteCount = .mebibytes(48)
    /// Limits on animations; larger ones are refused.
    public var animationLimits = AnimationLimits()
    /// Length limits for sounds and movies, which are passed through.
    ///
    /// The defaults are the system's limits: 5 and 50 MB.
    public var media = MediaLimits()

    /// Creates settings with default values.
    public init() {}

    /// Checks every field against its range.
    ///
    /// - Throws: `SettingsError` naming the first invalid field and its range.
    public func validate() throws(SettingsError) {
        try check(cap.footprint.bytes >= 1, "cap", "at least 1 byte")
        try check(width.isFinite && 1...10_000 ~= width, "width", "from 1 to 10000 points")
        try check(scale.isFinite && 0.5...10 ~= scale, "scale", "from 0.5 to 10")
        try check(
            bannerSide.isFinite && 1...1000 ~= bannerSide, "bannerSide", "from 1 to 1000 points")
        try check(
            cropRatio.map { $0.isFinite && $0 > 0 } ?? true, "cropRatio", "a finite number above 0")
        try check(renderBudget.bytes >= 4, "renderBudget", "at least 4 bytes, one pixel")
        try check(1...100 ~= quality, "quality", "from 1 to 100")
        try check(maximumBytes.bytes >= 1, "maximumBytes", "at least 1 byte")
        try check(maximumPixels >= 1, "maximumPixels", "at least 1")
        try check(maximumPixelsPerByte >= 1, "maximumPixelsPerByte", "at least 1")
        try check(maximumSourceBytes.bytes >= 1, "maximumSourceBytes", "at least 1 byte")
        try check(maximumScratchBytes.bytes >= 0, "maximumScratchBytes", "at least 0 bytes")
        try check(
            animationRenderBudget.bytes >= 4, "animationRenderBudget", "at least 4 bytes, one pixel"
        )
        try check(animationLimits.frames >= 1, "animationLimits.frames", "at least 1")
        try check(
            animationLimits.seconds.isFinite && animationLimits.seconds > 0,
            "animationLimits.seconds", "a finite number above 0")
        try check(animationLimits.pixels >= 1, "animationLimits.pixels", "at least 1")
        try check(animationLimits.drawnPixels >= 1, "animationLimits.drawnPixels", "at least 1")
        try check(media.sound.bytes >= 0, "media.sound", "at least 0 bytes")
        try check(media.movie.bytes >= 0, "media.movie", "at least 0 bytes")
    }

    private func check(
        _ holds: Bool, _ field: String, _ range: String
    ) throws(SettingsError) {
        guard holds else { throw SettingsError(field: field, range: range) }
    }

    /// Maximum width of the expanded rendition, in pixels.
    public var widthInPixels: Int { max(1, Int((width * scale).rounded())) }

    /// Side of the banner, in pixels.
    public var bannerSideInPixels: Int { max(1, Int((bannerSide * scale).rounded())) }
}

extension ProcessingSettings {
    /// Choices of decoders.
    public enum DecoderChoice: String, Sendable, Codable, CaseIterable {
        /// Bounded decoders when the library would hold the whole picture.
        case automatic = "auto"
        /// The library's decoders only: for comparison, and as a workaround.
        case library
    }

    /// Colour spaces of renditions.
    public enum ColourSpace: String, Sendable, Codable, CaseIterable {
        /// sRGB, untagged, which every display assumes.
        case sRGB = "srgb"
        /// Display P3, tagged, for attachments with a profile wider than sRGB; sRGB for others.
        case displayP3 = "p3"
    }
}

/// A setting outside its range.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Name of the field of ``ProcessingSettings``.
    public let field: String
    /// Allowed values.
    public let range: String

    package init(field: String, range: String) {
        self.field = field
        self.range = range
    }

    /// The field and its range, without a full stop.
    public var description: String { "\(field) must be \(range)" }
}
