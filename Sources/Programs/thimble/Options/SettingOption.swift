import ArgumentParser
import AttachmentContainer
import AttachmentModel

/// The option of one setting: name, environment variable, help and field.
///
/// The default is that of ``ProcessingSettings``, whose validation checks the range.
struct SettingOption<Value: ExpressibleByArgument & Sendable>: AnySettingOption {
    let name: String
    let help: ArgumentHelp
    private let option: any KeyPath<SettingsOptions, Value> & Sendable
    private let field: any WritableKeyPath<ProcessingSettings, Value> & Sendable
    private let environment: EnvironmentDefault<Value>

    init(
        _ name: String, from option: any KeyPath<SettingsOptions, Value> & Sendable,
        to field: any WritableKeyPath<ProcessingSettings, Value> & Sendable, help: ArgumentHelp
    ) {
        self.name = name
        self.help = help
        self.option = option
        self.field = field
        environment = EnvironmentDefault(name, ProcessingSettings()[keyPath: field])
    }

    /// The effective default.
    var value: Value { environment.value }

    func check() throws { try environment.check() }

    func write(_ options: SettingsOptions, to settings: inout ProcessingSettings) {
        settings[keyPath: field] = options[keyPath: option]
    }
}

protocol AnySettingOption: EnvironmentChecking {
    func write(_ options: SettingsOptions, to settings: inout ProcessingSettings)
}

extension Option where Value: ExpressibleByArgument & Sendable {
    init(_ setting: SettingOption<Value>) {
        self.init(wrappedValue: setting.value, name: .customLong(setting.name), help: setting.help)
    }
}

/// All options of settings.
///
/// The types are explicit because those of ``SettingsOptions`` depend on them.
enum Setting {
    static let all: [any AnySettingOption] = [
        cap, preset, width, scale, renderBudget, cropRatio, bannerSide, quality, maxBytes,
        animationRenderBudget, maxFrames, maxDuration, maxCanvas, maxFramePixels, maxSoundBytes,
        maxMovieBytes, colourSpace, tolerateTruncation, decoder, engine, scratch, maxScratch,
        maxPixels, maxPixelsPerByte, maxSourceBytes,
    ]

    static let cap: SettingOption<MemoryCap> = .init(
        "cap", from: \.cap, to: \.cap,
        help: ArgumentHelp(
            "Footprint that the decoding process must never reach.",
            discussion: "A number of bytes, service-extension (24 MiB) or "
                + "legacy-service-extension (12 MiB).", valueName: "bytes"))
    static let preset: SettingOption<PresetSelection> = .init(
        "preset", from: \.presetOrDefault, to: \.presets,
        help: ArgumentHelp(
            "Surface to make renditions for; may be repeated. The default is \(PresetSelection.content).",
            discussion:
                "\(Preset.names). All are made from one decoding; content is that of a content "
                + "extension, and includes banner. The environment names several with commas.",
            valueName: "name"))
    static let width: SettingOption<Double> = .init(
        "width", from: \.width, to: \.width,
        help: "Width of the content extension's view, in points.")
    static let scale: SettingOption<Double> = .init(
        "scale", from: \.scale, to: \.scale, help: "Pixels per point on its display.")
    static let renderBudget: SettingOption<ByteCount> = .init(
        "render-budget", from: \.renderBudget, to: \.renderBudget,
        help: "Limit on the decoded bytes of the expanded rendition, at 4 per pixel.")
    static let cropRatio: SettingOption<Double> = .init(
        "crop-ratio", from: \.cropRatio, to: \.cropRatio.orZero,
        help: ArgumentHelp(
            "Height by width that the expanded rendition is cropped to; 0 for the whole picture.",
            discussion: "The crop keeps the part that draws the most attention.",
            valueName: "ratio"))
    static let bannerSide: SettingOption<Double> = .init(
        "banner-side", from: \.bannerSide, to: \.bannerSide,
        help: "Side of the square banner, in points.")
    static let quality: SettingOption<Int> = .init(
        "quality", from: \.quality, to: \.quality,
        help: ArgumentHelp(
            "Initial JPEG quality, 1 to 100.",
            discussion:
                "A JPEG that is reduced by less than half gets at most its own quality, because "
                + "it would only grow."))
    static let maxBytes: SettingOption<ByteCount> = .init(
        "max-bytes", from: \.maxBytes, to: \.maximumBytes,
        help: "Maximum file size of a rendition.")
    static let animationRenderBudget: SettingOption<ByteCount> = .init(
        "animation-render-budget", from: \.animationRenderBudget, to: \.animationRenderBudget,
        help: ArgumentHelp(
            "Limit on the decoded bytes of an animation: width × height × 4 × frames.",
            discussion:
                "A larger one is scaled down, then quantised, then loses frames at the same "
                + "duration, then its end. If nothing fits, a still is made.",
            valueName: "bytes"))
    static let maxFrames: SettingOption<Int> = .init(
        "max-frames", from: \.maxFrames, to: \.animationLimits.frames,
        help: "Maximum number of frames of an animation; more are refused.")
    static let maxDuration: SettingOption<Double> = .init(
        "max-duration", from: \.maxDuration, to: \.animationLimits.seconds,
        help: ArgumentHelp(
            "Maximum duration of one loop of an animation; longer ones are refused.",
            valueName: "seconds"))
    static let maxCanvas: SettingOption<Double> = .init(
        "max-canvas", from: \.maxCanvas, to: \.animationLimits.pixels.inMillions,
        help: "Maximum number of pixels of an animation's canvas, in millions.")
    static let maxFramePixels: SettingOption<Double> = .init(
        "max-frame-pixels", from: \.maxFramePixels, to: \.animationLimits.drawnPixels.inMillions,
        help: ArgumentHelp(
            "Maximum number of pixels of all frames of an animation together, in millions.",
            discussion:
                "They determine the decoding time: about eight seconds per thousand million.",
            valueName: "max-frame-pixels"))
    static let maxSoundBytes: SettingOption<ByteCount> = .init(
        "max-sound-bytes", from: \.maxSoundBytes, to: \.media.sound,
        help: "Maximum file size of a sound that is passed through.")
    static let maxMovieBytes: SettingOption<ByteCount> = .init(
        "max-movie-bytes", from: \.maxMovieBytes, to: \.media.movie,
        help: "Maximum file size of a movie that is passed through.")
    static let colourSpace: SettingOption<ProcessingSettings.ColourSpace> = .init(
        "colour-space", from: \.colourSpace, to: \.colourSpace,
        help: "Colour space of the renditions: srgb, or p3 to keep wide-gamut pictures wide.")
    static let tolerateTruncation: SettingOption<Answer> = .init(
        "tolerate-truncation", from: \.tolerateTruncation.answer, to: \.toleratesTruncation.answer,
        help: "Decode the intact part of damaged pictures instead of refusing them.")
    static let decoder: SettingOption<ProcessingSettings.DecoderChoice> = .init(
        "decoder", from: \.decoder, to: \.decoder,
        help: ArgumentHelp(
            "Decoders to use: auto, or library.",
            discussion:
                "With auto, thimble's own decoders handle pictures that the libraries would hold "
                + "whole in memory. With library, only the libraries are used."))
    static let engine: SettingOption<ProcessingSettings.EngineChoice> = .init(
        "engine", from: \.engine, to: \.engine,
        help: ArgumentHelp(
            "Engine that resizes and encodes: auto, or libvips.",
            discussion:
                "With auto, thimble's own engine makes the renditions of opaque pictures, row by "
                + "row, in half the time. With libvips, that library makes all of them."))
    static let scratch: SettingOption<String> = .init(
        "scratch", from: \.scratchOrDefault, to: \.scratchFolder.orEmpty,
        help: ArgumentHelp(
            "Folder for scratch files, on a disk; the default is in the container.",
            valueName: "folder"))
    static let maxScratch: SettingOption<ByteCount> = .init(
        "max-scratch", from: \.maxScratch, to: \.maximumScratchBytes,
        help: "Limit on the scratch files of one worker; 0 disables them.")
    static let maxPixels: SettingOption<Double> = .init(
        "max-pixels", from: \.maxPixels, to: \.maximumPixels.inMillions,
        help: "Maximum number of pixels of an attachment, in millions.")
    static let maxPixelsPerByte: SettingOption<Int> = .init(
        "max-pixels-per-byte", from: \.maxPixelsPerByte, to: \.maximumPixelsPerByte,
        help: ArgumentHelp(
            "Maximum number of pixels per byte of an attachment of over 64 megapixels.",
            valueName: "pixels"))
    static let maxSourceBytes: SettingOption<ByteCount> = .init(
        "max-source-bytes", from: \.maxSourceBytes, to: \.maximumSourceBytes,
        help: "Maximum file size of an attachment.")
}

extension Int {
    fileprivate var inMillions: Double {
        get { Double(self) / 1_000_000 }
        set { self = Int(Swift.min(Swift.max(0, newValue * 1_000_000), 1e15)) }
    }
}

extension Double? {
    fileprivate var orZero: Double {
        get { self ?? 0 }
        set { self = newValue == 0 ? nil : newValue }
    }
}

extension String? {
    fileprivate var orEmpty: String {
        get { self ?? "" }
        set { self = newValue.isEmpty ? nil : newValue }
    }
}

extension Bool {
    fileprivate var answer: Answer {
        get { self ? .yes : .no }
        set { self = newValue.isYes }
    }
}
