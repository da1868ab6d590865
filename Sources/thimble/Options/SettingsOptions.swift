public import ArgumentParser
public import AttachmentContainer
public import AttachmentModel

/// Settings of renditions, shared by all commands that make them.
struct SettingsOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Footprint that the decoding process must never reach.",
            discussion: "A number of bytes, service-extension (24 MiB) or "
                + "legacy-service-extension (12 MiB).", valueName: "bytes"))
    var cap = Default.cap.value

    @Option(help: "Width of the content extension's view, in points.")
    var width = Default.width.value

    @Option(help: "Pixels per point on its display.")
    var scale = Default.scale.value

    @Option(help: "Limit on the decoded bytes of the expanded rendition, at 4 per pixel.")
    var renderBudget = Default.renderBudget.value

    @Option(
        help: ArgumentHelp(
            "Height by width that the expanded rendition is cropped to; 0 for the whole picture.",
            discussion: "The crop keeps the part that draws the most attention.", valueName: "ratio"
        ))
    var cropRatio = Default.cropRatio.value

    @Option(help: "Side of the square banner, in points.")
    var bannerSide = Default.bannerSide.value

    @Option(help: "Initial JPEG quality, 1 to 100.")
    var quality = Default.quality.value

    @Option(help: "Maximum file size of a rendition.")
    var maxBytes = Default.maxBytes.value

    @Option(
        help: ArgumentHelp(
            "Limit on the decoded bytes of an animation: width × height × 4 × frames.",
            discussion:
                "A larger one is scaled down, then quantised, then loses frames at the same "
                + "duration, then its end. If nothing fits, a still is made.",
            valueName: "bytes"))
    var animationRenderBudget = Default.animationRenderBudget.value

    @Option(help: "Maximum number of frames of an animation; more are refused.")
    var maxFrames = Default.maxFrames.value

    @Option(
        help: ArgumentHelp(
            "Maximum duration of one loop of an animation; longer ones are refused.",
            valueName: "seconds"))
    var maxDuration = Default.maxDuration.value

    @Option(help: "Maximum number of pixels of an animation's canvas, in millions.")
    var maxCanvas = Default.maxCanvas.value

    @Option(
        help: ArgumentHelp(
            "Maximum number of pixels of all frames of an animation together, in millions.",
            discussion:
                "They determine the decoding time: about eight seconds per thousand million.",
            valueName: "max-frame-pixels"))
    var maxFramePixels = Default.maxFramePixels.value

    @Option(help: "Maximum file size of a sound that is passed through.")
    var maxSoundBytes = Default.maxSoundBytes.value

    @Option(help: "Maximum file size of a movie that is passed through.")
    var maxMovieBytes = Default.maxMovieBytes.value

    @Option(help: "Colour space of the renditions: srgb, or p3 to keep wide-gamut pictures wide.")
    var colourSpace = Default.colourSpace.value

    @Flag(
        inversion: .prefixedNo,
        help: "Decode the intact part of damaged pictures instead of refusing them.")
    var tolerateTruncation = Default.tolerateTruncation.value.isYes

    @Option(
        help: ArgumentHelp(
            "Decoders to use: auto, or library.",
            discussion:
                "With auto, thimble's own decoders handle pictures that the libraries would hold whole in "
                + "memory. With library, only the libraries are used."))
    var decoder = Default.decoder.value

    @Option(
        help: ArgumentHelp(
            "Folder for scratch files, on a disk; the default is in the container.",
            valueName: "folder"), completion: .directory)
    var scratch: String?

    @Option(help: "Limit on the scratch files of one worker; 0 disables them.")
    var maxScratch = Default.maxScratch.value

    @Option(help: "Maximum number of pixels of an attachment, in millions.")
    var maxPixels = Default.maxPixels.value

    @Option(
        help: ArgumentHelp(
            "Maximum number of pixels per byte of an attachment of over 64 megapixels.",
            valueName: "pixels"))
    var maxPixelsPerByte = Default.maxPixelsPerByte.value

    @Option(help: "Maximum file size of an attachment.")
    var maxSourceBytes = Default.maxSourceBytes.value

    /// Defaults, which the environment may override.
    enum Default {
        private static let settings = ProcessingSettings()
        static let cap = EnvironmentDefault("cap", settings.cap)
        static let width = EnvironmentDefault("width", settings.width)
        static let scale = EnvironmentDefault("scale", settings.scale)
        static let renderBudget = EnvironmentDefault("render-budget", settings.renderBudget)
        static let cropRatio = EnvironmentDefault("crop-ratio", settings.cropRatio ?? 0)
        static let bannerSide = EnvironmentDefault("banner-side", settings.bannerSide)
        static let quality = EnvironmentDefault("quality", settings.quality)
        static let maxBytes = EnvironmentDefault("max-bytes", settings.maximumBytes)
        static let animationRenderBudget = EnvironmentDefault(
            "animation-render-budget", settings.animationRenderBudget)
        static let maxFrames = EnvironmentDefault("max-frames", settings.animationLimits.frames)
        static let maxDuration = EnvironmentDefault(
            "max-duration", settings.animationLimits.seconds)
        static let maxCanvas = EnvironmentDefault(
            "max-canvas", Double(settings.animationLimits.pixels) / 1_000_000)
        static let maxFramePixels = EnvironmentDefault(
            "max-frame-pixels", Double(settings.animationLimits.drawnPixels) / 1_000_000)
        static let maxSoundBytes = EnvironmentDefault("max-sound-bytes", settings.media.sound)
        static let maxMovieBytes = EnvironmentDefault("max-movie-bytes", settings.media.movie)
        static let colourSpace = EnvironmentDefault("colour-space", settings.colourSpace)
        static let tolerateTruncation = EnvironmentDefault(
            "tolerate-truncation", settings.toleratesTruncation ? Answer.yes : Answer.no)
        static let decoder = EnvironmentDefault("decoder", settings.decoder)
        static let scratch = EnvironmentDefault("scratch", "")
        static let maxScratch = EnvironmentDefault("max-scratch", settings.maximumScratchBytes)
        static let maxPixels = EnvironmentDefault(
            "max-pixels", Double(settings.maximumPixels) / 1_000_000)
        static let maxPixelsPerByte = EnvironmentDefault(
            "max-pixels-per-byte", settings.maximumPixelsPerByte)
        static let maxSourceBytes = EnvironmentDefault(
            "max-source-bytes", settings.maximumSourceBytes)

        static let all: [any EnvironmentChecking] = [
            cap, width, scale, renderBudget, cropRatio, bannerSide, quality, maxBytes,
            animationRenderBudget, maxFrames, maxDuration, maxCanvas, maxFramePixels,
            maxSoundBytes, maxMovieBytes, colourSpace, tolerateTruncation, decoder, scratch,
            maxScratch, maxPixels, maxPixelsPerByte, maxSourceBytes,
        ]
    }

    /// The validated settings.
    func settings() throws -> ProcessingSettings {
        var settings = ProcessingSettings()
        settings.cap = cap
        settings.width = width
        settings.scale = scale
        settings.renderBudget = renderBudget
        settings.cropRatio = cropRatio == 0 ? nil : cropRatio
        settings.bannerSide = bannerSide
        settings.quality = quality
        settings.maximumBytes = maxBytes
        settings.animationRenderBudget = animationRenderBudget
        settings.animationLimits.frames = maxFrames
        settings.animationLimits.seconds = maxDuration
        settings.animationLimits.pixels = Self.pixels(maxCanvas)
        settings.animationLimits.drawnPixels = Self.pixels(maxFramePixels)
        settings.media.sound = maxSoundBytes
        settings.media.movie = maxMovieBytes
        settings.colourSpace = colourSpace
        settings.toleratesTruncation = tolerateTruncation
        settings.decoder = decoder
        let scratch = scratch ?? Default.scratch.value
        settings.scratchFolder = scratch.isEmpty ? nil : scratch
        settings.maximumScratchBytes = maxScratch
        settings.maximumPixels = Self.pixels(maxPixels)
        settings.maximumPixelsPerByte = maxPixelsPerByte
        settings.maximumSourceBytes = maxSourceBytes
        do {
            try settings.validate()
        } catch {
            throw ValidationError("\(error)")
        }
        return settings
    }

    private static func pixels(_ millions: Double) -> Int {
        Int(min(max(0, millions * 1_000_000), 1e15))
    }

    func validate() throws {
        for variable in Default.all { try variable.check() }
        _ = try settings()
    }
}

extension ByteCount: ExpressibleByArgument {
    /// Reads `10MB`, `12MiB` or a plain number of bytes.
    ///
    /// - Parameter argument: Text from the command line.
    public init?(argument: String) { self.init(parsing: argument) }

    /// The value as the help shows it.
    public var defaultValueDescription: String {
        bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : description.filter { $0 != " " }
    }
}

extension MemoryCap: ExpressibleByArgument {
    /// Reads `24MB`, `12MiB` or the name of a preset.
    ///
    /// - Parameter argument: Text from the command line.
    public init?(argument: String) { self.init(parsing: argument) }

    /// The value as the help shows it.
    public var defaultValueDescription: String { description.filter { $0 != " " } }
}

extension ProcessingSettings.ColourSpace: ExpressibleByArgument {}
extension ProcessingSettings.DecoderChoice: ExpressibleByArgument {}
