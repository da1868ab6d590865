import AttachmentContainer
public import AttachmentModel
import NotificationProfile

extension ProcessingSettings: OptionTarget {}

/// The options of rendition settings.
public enum RenditionOption {
    /// A declaration of this kind.
    public typealias Declaration = OptionDeclaration<RenditionFlags, ProcessingSettings>

    /// All of them, in the order of the help.
    public static let all: [Declaration] = [
        cap, preset, width, scale, renderBudget, cropRatio, bannerSide, quality, effort,
        targetScore, maxBytes, animationRenderBudget, maxFrames, maxDuration, maxCanvas,
        maxFramePixels, maxSoundBytes, maxMovieBytes, colourSpace, linear, tolerateTruncation,
        decoder, engine, scratch, maxScratch, maxPixels, maxPixelsPerByte, maxSourceBytes,
    ]

    package static let cap: Declaration = {
        var option = Declaration(
            "cap", \.cap, \.cap,
            "bytes with a unit such as 24MiB, service-extension (24 MiB) or "
                + "legacy-service-extension (12 MiB)",
            "Footprint that the decoding process must never reach.", valueName: "bytes",
            parse: memoryCap, show: { $0.description.filter { $0 != " " } })
        // A megabyte is less than any decoder needs.
        option.hint = { text in
            Int(text).flatMap { 1...4096 ~= $0 ? "Did you mean \($0)MiB?" : nil }
        }
        option.discussion =
            "A number of bytes, service-extension (24 MiB) or legacy-service-extension (12 MiB)."
        return option
    }()
    package static let preset: Declaration = {
        let names = Preset.allCases.map(\.rawValue)
        var option: Declaration = .list(
            "preset", \.preset, \.presets, "one of \(names.joined(separator: ", ")), or several",
            "Surface to make renditions for; may be repeated.", valueName: "name",
            parse: { PresetSelection(parsing: $0) })
        option.completion = .values(names)
        option.hint = { text in
            if MemoryCap(parsing: text) != nil { return "The option cap takes the names of caps." }
            return text.split(separator: ",").map { String($0.filter { $0 != " " }) }
                .first { !names.contains($0) }
                .flatMap { NearMiss.question(for: $0, among: names) }
        }
        option.discussion =
            "\(Preset.names). All are made from one decoding; content is the surface of a content "
            + "extension, and includes banner."
        return option
    }()
    package static let width: Declaration = .number(
        "width", \.width, \.width, 1...10_000, unit: "points",
        "Width of the content extension's view.")
    package static let scale: Declaration = .number(
        "scale", \.scale, \.scale, 0.5...10, unit: "pixels", "Pixels per point on its display.")
    package static let renderBudget: Declaration = .bytes(
        "render-budget", \.renderBudget, \.renderBudget, ByteCount(4)...ByteCount(1 << 40),
        "Limit on the decoded bytes of the expanded rendition, at 4 per pixel.")
    package static let cropRatio: Declaration = .number(
        "crop-ratio", \.cropRatio, \.cropRatio.orZero, 0...1_000_000, unit: "ratio",
        "Height by width that the expanded rendition is cropped to; 0 for the whole picture."
    )
    .explained(
        "The crop keeps the part that draws the most attention.")
    package static let bannerSide: Declaration = .number(
        "banner-side", \.bannerSide, \.bannerSide, 1...1000, unit: "points",
        "Side of the square banner.")
    package static let quality: Declaration = .count(
        "quality", \.quality, \.quality, 1...100, "Initial JPEG quality.",
        valueName: "quality"
    )
    .explained(
        "A JPEG that is reduced by less than half gets at most its own quality, because it "
            + "would only grow.")
    package static let effort: Declaration = .choice(
        "effort", \.effort, \.effort, "Time spent on shorter JPEGs and palettes: default, or best."
    )
    .explained(
        "With best, thimble's own engine takes 2 to 3 times as long to encode, for 2 to 3 % "
            + "fewer bytes at the same quality.")
    package static let targetScore: Declaration = .limit(
        "target-score", \.targetScore, \.targetScore, 1...100,
        "SSIMULACRA2 score that JPEG renditions aim at, in place of a quality.",
        valueName: "score", parse: { Double($0) }, show: \.text
    )
    .explained(
        "90 shows no difference at usual distances, 70 is high quality, 50 medium. The quality is "
            + "found by encoding and scoring each picture several times. The ceiling of max-bytes "
            + "takes precedence; not to be combined with quality.")
    package static let maxBytes: Declaration = .bytes(
        "max-bytes", \.maxBytes, \.maximumBytes, ByteCount(1)...ByteCount(1 << 40),
        "Maximum file size of a rendition.")
    package static let colourSpace: Declaration = .choice(
        "colour-space", \.colourSpace, \.colourSpace,
        "Colour space of the renditions: srgb, or p3 to keep wide-gamut pictures wide.")
    package static let linear: Declaration = .answer(
        "linear", \.linear, \.isLinear,
        "Reduce stills in linear light, in which fine bright detail on dark stays bright."
    )
    .explained(
        "Animations, and files that are kept as they are, do not change. Takes more processor time."
    )
    package static let tolerateTruncation: Declaration = .answer(
        "tolerate-truncation", \.tolerateTruncation, \.toleratesTruncation,
        "Decode the intact part of damaged pictures instead of refusing them.")
    package static let decoder: Declaration = .choice(
        "decoder", \.decoder, \.decoder, "Decoders to use: auto, or library."
    )
    .explained(
        "With auto, thimble's own decoders handle pictures that the libraries would hold "
            + "whole in memory. With library, only the libraries are used.")
    package static let engine: Declaration = .choice(
        "engine", \.engine, \.engine, "Engine that resizes and encodes: auto, or libvips."
    )
    .explained(
        "With auto, thimble's own engine makes the renditions of opaque pictures, row by "
            + "row, in half the time. With libvips, that library makes all of them.")
    package static let scratch: Declaration = .path(
        "scratch", \.scratch, \.scratchFolder.orEmpty, "a folder on a disk",
        "Folder for scratch files, on a disk; the default is in the container.", isFolder: true)
    package static let maxScratch: Declaration = .bytes(
        "max-scratch", \.maxScratch, \.maximumScratchBytes, ByteCount(0)...ByteCount(1 << 50),
        "Limit on the scratch files of one worker; 0 disables them.")
    package static let maxPixels: Declaration = .number(
        "max-pixels", \.maxPixels, \.maximumPixels.inMillions, 0.001...1_000_000_000,
        unit: "million", "Maximum number of pixels of an attachment, in millions.")
    package static let maxPixelsPerByte: Declaration = .count(
        "max-pixels-per-byte", \.maxPixelsPerByte, \.maximumPixelsPerByte, 1...1_000_000_000_000,
        "Maximum number of pixels per byte of an attachment of over 64 megapixels.",
        valueName: "pixels")
    package static let maxSourceBytes: Declaration = .bytes(
        "max-source-bytes", \.maxSourceBytes, \.maximumSourceBytes,
        ByteCount(1)...ByteCount(1 << 50), "Maximum file size of an attachment.")

    /// Refuses a number of bytes that was meant as one of megabytes.
    private static let memoryCap: @Sendable (String) -> MemoryCap? = { text in
        if let bytes = Int(text), bytes < 1_000_000 { return nil }
        return MemoryCap(parsing: text).flatMap { $0.footprint.bytes > 0 ? $0 : nil }
    }
}
