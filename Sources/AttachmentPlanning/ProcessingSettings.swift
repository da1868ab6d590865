public import AttachmentContainer

/// What the caller asks of the renditions, and the limits on what is read.
///
/// The same names stand on the command line and in code. Start from the defaults, change what you
/// need and call ``validate()``.
public struct ProcessingSettings: Sendable, Hashable, Codable {
    /// The footprint that the processing process must never reach.
    ///
    /// The default is 24 MiB, that of a service extension.
    public var cap: MemoryCap = .serviceExtension
    /// The width at which the content extension shows the picture, in points.
    ///
    /// The default is 440, the widest iPhone.
    public var width: Double = 440
    /// Pixels a point on that display.
    ///
    /// The default is 3.
    public var scale: Double = 3
    /// The decoded bytes that the content extension may spend on the expanded rendition, at four
    /// bytes a pixel.
    ///
    /// The default is 8 MiB.
    public var renderBudget: ByteCount = .mebibytes(8)
    /// Height divided by width of the expanded rendition: the part of the picture that draws the most
    /// attention is cut out in this ratio, as large as it can be.
    ///
    /// The default is nil: the whole picture is kept.
    public var cropRatio: Double?
    /// The side of the square banner, in points.
    ///
    /// The default is 88.
    public var bannerSide: Double = 88
    /// The JPEG quality to begin with, from 1 to 100.
    ///
    /// The default is 80.
    public var quality: Int = 80
    /// The longest file a rendition may be.
    ///
    /// The default is 10 MB, what the system accepts as an image attachment.
    public var maximumBytes: ByteCount = .megabytes(10)
    /// The colour space of the renditions.
    ///
    /// The default is sRGB.
    public var colourSpace: ColourSpace = .sRGB
    /// Whether a picture that ends early, or is damaged in the middle, is decoded to what there is.
    ///
    /// The default is false: it is an error.
    public var toleratesTruncation = false
    /// Which decoders are used.
    ///
    /// The default is automatic: ours wherever the library would keep the whole picture.
    public var decoder: DecoderChoice = .automatic
    /// The folder for scratch files, which must be on a disk; they have no names there and are gone
    /// after a crash too.
    ///
    /// The default is nil: the container's own folder for what is being made.
    public var scratchFolder: String?
    /// What the scratch files of one process may take at the same time; zero for none.
    ///
    /// The default is 1 GB.
    public var maximumScratchBytes: ByteCount = .megabytes(1000)
    /// The most pixels an attachment may have, in all its rows and columns.
    ///
    /// The default is 300 million.
    public var maximumPixels: Int = 300_000_000
    /// How many pixels each byte of an attachment of more than 64 million pixels may stand for.
    ///
    /// The default is 100 thousand. Pictures that people make stay below a hundred; a header of a
    /// few bytes that claims a picture of one colour costs its decoder as much as any other.
    public var maximumPixelsPerByte: Int = 100_000
    /// The longest attachment that is read.
    ///
    /// The default is 200 MB.
    public var maximumSourceBytes: ByteCount = .megabytes(200)
    /// The decoded bytes that the content extension may spend on an animation, all its frames
    /// together, at four bytes a pixel.
    ///
    /// The default is 48 MiB. A view that plays an animated picture holds all of its frames decoded,
    /// and no figure is published for content extensions; another extension that shows pictures has
    /// 120 MB, of which the interface takes its share: 48 MiB leave more than half.
    public var animationRenderBudget: ByteCount = .mebibytes(48)
    /// What an animation may ask for, beyond which it is refused.
    public var animationLimits = AnimationLimits()
    /// How long sound and movies may be, which are passed through.
    ///
    /// The defaults are what the system takes: 5 and 50 MB.
    public var media = MediaLimits()

    /// Makes settings with every default.
    public init() {}

    /// Checks every field against its range.
    ///
    /// - Throws: `SettingsError` naming the first field at fault and its range.
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

    /// The widest that the expanded rendition may be, in pixels.
    public var widthInPixels: Int { max(1, Int((width * scale).rounded())) }

    /// The side of the banner, in pixels.
    public var bannerSideInPixels: Int { max(1, Int((bannerSide * scale).rounded())) }
}

extension ProcessingSettings {
    /// The decoders that may be used.
    public enum DecoderChoice: String, Sendable, Codable, CaseIterable {
        /// Ours wherever the library would keep the whole picture.
        case automatic = "auto"
        /// The library's only: for comparison, and as a way out.
        case library
    }

    /// The colour spaces that renditions are written in.
    public enum ColourSpace: String, Sendable, Codable, CaseIterable {
        /// sRGB, untagged: what every display takes for granted.
        case sRGB = "srgb"
        /// Display P3, tagged, for attachments whose profile is wider than sRGB; sRGB for others.
        case displayP3 = "p3"
    }
}

/// A setting outside its range.
public struct SettingsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the field of ``ProcessingSettings``.
    public let field: String
    /// The values that it takes.
    public let range: String

    /// Names a field outside its range.
    ///
    /// - Parameters:
    ///   - field: The name of the field of ``ProcessingSettings``.
    ///   - range: The values that it takes.
    package init(field: String, range: String) {
        self.field = field
        self.range = range
    }

    /// The field and its range, in a sentence without its full stop.
    public var description: String { "\(field) must be \(range)" }
}
