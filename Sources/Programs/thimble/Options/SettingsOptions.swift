public import ArgumentParser
public import AttachmentContainer
public import AttachmentModel
import NotificationCheck

/// Settings of renditions, shared by all commands that make them.
///
/// ``Setting`` declares their names, defaults and help.
struct SettingsOptions: ParsableArguments {
    @Option(Setting.cap) var cap: MemoryCap
    @Option(
        name: .customLong("preset"), parsing: .singleValue, help: Setting.preset.help,
        transform: PresetSelection.init(reading:))
    var presets: [PresetSelection] = []
    @Option(Setting.width) var width: Double
    @Option(Setting.scale) var scale: Double
    @Option(Setting.renderBudget) var renderBudget: ByteCount
    @Option(Setting.cropRatio) var cropRatio: Double
    @Option(Setting.bannerSide) var bannerSide: Double
    @Option(Setting.quality) var quality: Int
    @Option(Setting.maxBytes) var maxBytes: ByteCount
    @Option(Setting.animationRenderBudget) var animationRenderBudget: ByteCount
    @Option(Setting.maxFrames) var maxFrames: Int
    @Option(Setting.maxDuration) var maxDuration: Double
    @Option(Setting.maxCanvas) var maxCanvas: Double
    @Option(Setting.maxFramePixels) var maxFramePixels: Double
    @Option(Setting.maxSoundBytes) var maxSoundBytes: ByteCount
    @Option(Setting.maxMovieBytes) var maxMovieBytes: ByteCount
    @Option(Setting.colourSpace) var colourSpace: ProcessingSettings.ColourSpace
    @Flag(inversion: .prefixedNo, help: Setting.tolerateTruncation.help)
    var tolerateTruncation = Setting.tolerateTruncation.value.isYes
    @Option(Setting.decoder) var decoder: ProcessingSettings.DecoderChoice
    @Option(Setting.engine) var engine: ProcessingSettings.EngineChoice
    @Option(help: Setting.scratch.help, completion: .directory) var scratch: String?
    @Option(Setting.maxScratch) var maxScratch: ByteCount
    @Option(Setting.maxPixels) var maxPixels: Double
    @Option(Setting.maxPixelsPerByte) var maxPixelsPerByte: Int
    @Option(Setting.maxSourceBytes) var maxSourceBytes: ByteCount

    var presetOrDefault: PresetSelection {
        presets.isEmpty ? Setting.preset.value : PresetSelection(presets.flatMap(\.presets))
    }

    var scratchOrDefault: String { scratch ?? Setting.scratch.value }

    /// The validated settings.
    func settings() throws -> ProcessingSettings {
        var settings = ProcessingSettings()
        for setting in Setting.all { setting.write(self, to: &settings) }
        do {
            try settings.validate()
        } catch {
            throw ValidationError("\(error)")
        }
        return settings
    }

    func validate() throws {
        for setting in Setting.all { try setting.check() }
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

extension PresetSelection: ExpressibleByArgument {
    /// Reads names separated by commas.
    ///
    /// - Parameter argument: Text from the command line or the environment.
    public init?(argument: String) { self.init(parsing: argument) }

    /// Same, with the names and the nearest one on failure.
    init(reading argument: String) throws {
        guard let selection = Self(parsing: argument) else {
            throw ValidationError(Self.names.remedy(for: argument))
        }
        self = selection
    }

    /// The names of all presets.
    public static var allValueStrings: [String] { names }

    private static let names = Preset.allCases.map(\.rawValue)

    /// The value as the help shows it.
    public var defaultValueDescription: String { description }
}

extension [String] {
    /// The remedy for the first of several names, separated by commas, that is not among these.
    func remedy(for argument: String) -> String {
        let given = argument.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0.filter { $0 != " " }) }
        return NearMiss.remedy(for: given.first { !contains($0) } ?? argument, among: self)
    }
}

extension ProcessingSettings.ColourSpace: ExpressibleByArgument {}
extension ProcessingSettings.DecoderChoice: ExpressibleByArgument {}
extension ProcessingSettings.EngineChoice: ExpressibleByArgument {}
