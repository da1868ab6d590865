import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import AttachmentPlanning

/// File format and encoder options of a picture.
struct Encoding: Sendable {
    /// Channels and depth of a pixel.
    enum Channels: Sendable { case grey, colour, colourAndAlpha, deepColour, inks }

    /// An encoder option, with libvips' name and type.
    enum Option: Sendable { case number(Int), flag(Bool), name(String) }

    /// Name of the libvips saver.
    let saver: String
    var options: [String: Option]
    /// The default is colour.
    var channels = Channels.colour
    /// Rotation of the stored rows.
    var orientation = Orientation.upright

    /// A JPEG; baseline unless `interlace` is set.
    static func jpeg(
        quality: Int, _ options: [String: Option] = [:], channels: Channels = .colour,
        orientation: Orientation = .upright
    ) -> Encoding {
        var all = options
        all["Q"] = .number(quality)
        all["optimize-coding"] = .flag(true)
        return Encoding(
            saver: "jpegsave_target", options: all, channels: channels, orientation: orientation)
    }

    static func png(_ channels: Channels, _ options: [String: Option] = [:]) -> Encoding {
        var all = options
        all["compression"] = .number(9)
        return Encoding(saver: "pngsave_target", options: all, channels: channels)
    }

    /// Develops and encodes the frames, stacked vertically.
    func write(_ frames: [Raster], film: Development, to output: VipsOutput) async throws {
        guard let first = frames.first else { return }
        let size = PixelSize(width: first.size.width, height: first.size.height * frames.count)
        var image: VipsImage
        if channels == .deepColour {
            let samples = await film.developed(frames, bands: 3, white: 65535) as [UInt16]
            image = try VipsImage.from(samples: samples, size: size, bands: 3)
        } else {
            let samples = await film.developed(frames, bands: bands, white: 255) as [UInt8]
            image = try VipsImage.from(samples: samples, size: size, bands: bands)
        }
        image = try image.applying("copy", ["interpretation": .name(interpretation)])
        if channels == .inks {
            image = try image.applying(
                "icc_transform", ["input-profile": .name("srgb"), "output-profile": .name("cmyk")])
        }
        if orientation == .rotated90 {
            image = try image.applying("rot", ["angle": .name("d270")])
                .marked(orientation: orientation)
        }
        var arguments = options.mapValues(\.argument)
        if frames.count > 1 { arguments["page-height"] = .int(first.size.height) }
        try image.save(to: output, with: saver, arguments)
    }

    private var bands: Int {
        switch channels {
        case .grey: 1
        case .colour, .deepColour, .inks: 3
        case .colourAndAlpha: 4
        }
    }

    private var interpretation: String {
        switch channels {
        case .grey: "b-w"
        case .colour, .colourAndAlpha, .inks: "srgb"
        case .deepColour: "rgb16"
        }
    }
}

extension Encoding.Option {
    fileprivate var argument: VipsArgument {
        switch self {
        case .number(let number): .int(number)
        case .flag(let flag): .bool(flag)
        case .name(let name): .name(name)
        }
    }
}
