public import ArgumentParser
public import AttachmentContainer
public import AttachmentPlanning

/// Everything that decides how renditions look, the same for every command that makes them.
struct SettingsOptions: ParsableArguments {
    private static let defaults = ProcessingSettings()

    @Option(
        help: ArgumentHelp(
            "Footprint that the processing process must never reach.",
            discussion: "A number of bytes, service-extension (24 MiB) or "
                + "legacy-service-extension (12 MiB).", valueName: "bytes"))
    var cap = defaults.cap

    @Option(help: "Width of the content extension's view, in points.")
    var width = defaults.width

    @Option(help: "Pixels a point on its display.")
    var scale = defaults.scale

    @Option(help: "Decoded bytes that it may spend on the expanded rendition, at 4 a pixel.")
    var renderBudget = defaults.renderBudget

    @Option(help: "Side of the square banner, in points.")
    var bannerSide = defaults.bannerSide

    @Option(help: "JPEG quality to begin with, 1 to 100.")
    var quality = defaults.quality

    @Option(help: "Longest file that a rendition may be.")
    var maxBytes = defaults.maximumBytes

    @Option(help: "Colour space of the renditions: srgb, or p3 to keep wide-gamut pictures wide.")
    var colourSpace = defaults.colourSpace

    @Flag(help: "Decode damaged pictures to what there is, instead of refusing them.")
    var tolerateTruncation = false

    @Option(help: "Most pixels that an attachment may have, in millions.")
    var maxPixels = Double(defaults.maximumPixels) / 1_000_000

    @Option(help: "Longest attachment that is read.")
    var maxSourceBytes = defaults.maximumSourceBytes

    /// The settings, checked.
    ///
    /// - Returns: What the processor takes.
    /// - Throws: `ValidationError` naming the option at fault.
    func settings() throws -> ProcessingSettings {
        var settings = ProcessingSettings()
        settings.cap = cap
        settings.width = width
        settings.scale = scale
        settings.renderBudget = renderBudget
        settings.bannerSide = bannerSide
        settings.quality = quality
        settings.maximumBytes = maxBytes
        settings.colourSpace = colourSpace
        settings.toleratesTruncation = tolerateTruncation
        settings.maximumPixels = Int(min(max(0, maxPixels * 1_000_000), 1e15))
        settings.maximumSourceBytes = maxSourceBytes
        do {
            try settings.validate()
        } catch {
            throw ValidationError("\(error)")
        }
        return settings
    }

    func validate() throws { _ = try settings() }
}

extension ByteCount: ExpressibleByArgument {
    /// Reads `10MB`, `12MiB` or a plain number of bytes.
    ///
    /// - Parameter argument: What stands on the command line.
    public init?(argument: String) { self.init(parsing: argument) }

    /// How the help shows a default.
    public var defaultValueDescription: String {
        bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : description.filter { $0 != " " }
    }
}

extension MemoryCap: ExpressibleByArgument {
    /// Reads `24MB`, `12MiB` or the name of a preset.
    ///
    /// - Parameter argument: What stands on the command line.
    public init?(argument: String) { self.init(parsing: argument) }

    /// How the help shows a default.
    public var defaultValueDescription: String { description.filter { $0 != " " } }
}

extension ProcessingSettings.ColourSpace: ExpressibleByArgument {}
