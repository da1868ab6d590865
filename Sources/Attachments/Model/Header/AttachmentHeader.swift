public import AttachmentContainer

/// Header facts of a picture, read by the probe without decoding pixels.
public struct AttachmentHeader: Sendable, Hashable {
    private var hashableCoding: HashableCoding
    /// Stored size, in pixels, before orientation; for HEIF, after its crop (`clap`).
    public var storedSize: PixelSize
    /// Orientation of the stored picture.
    public var orientation: Orientation
    /// Meaning of the channels.
    public var colourModel: ColourModel
    /// True if the file has an alpha channel, a transparent colour or a transparent palette.
    public var hasAlpha: Bool
    /// Bits per sample; for a palette, bits per index.
    public var bitsPerSample: Int
    /// Number of frames in time, 1 for a still; nil when too many to count.
    public var frameCount: Int?
    /// Playback timing; nil for a still, and when only the decoder can determine it.
    public var timing: AnimationTiming?
    /// Length of the embedded ICC profile, in bytes; 0 without one.
    public var profileBytes: Int
    /// Colours by tags, where they are not sRGB.
    package var colourTags: ColourTags?
    /// Colours of an animation's frames; nil if the still picture has the same.
    package var frameColours: HeaderColours?
    /// True if the file has, or may have, Exif, XMP, comments, an ICC profile or colour tags.
    public var hasMetadata: Bool
    /// True if the file must not be published as it is, whatever the header says.
    package var mustBeEncoded = false
    package var preview: EmbeddedPreview?
    /// Kind of the HDR gain map, which renditions do without; nil without one.
    public var gainMap: GainMapKind?
    /// Size before HEIF's crop, or of a JPEG XL's frame that is larger than its picture, in pixels; nil
    /// without either.
    public var uncroppedSize: PixelSize?
    /// Length of the file, in bytes.
    public var fileBytes: ByteCount

    package init(
        _ coding: any PictureCoding, storedSize: PixelSize, orientation: Orientation = .upright,
        colourModel: ColourModel, hasAlpha: Bool = false, bitsPerSample: Int = 8,
        frameCount: Int? = 1, timing: AnimationTiming? = nil, profileBytes: Int = 0,
        hasMetadata: Bool = false, preview: EmbeddedPreview? = nil,
        gainMap: GainMapKind? = nil, uncroppedSize: PixelSize? = nil, fileBytes: ByteCount
    ) {
        hashableCoding = HashableCoding(base: coding)
        self.storedSize = storedSize
        self.orientation = orientation
        self.colourModel = colourModel
        self.hasAlpha = hasAlpha
        self.bitsPerSample = bitsPerSample
        self.frameCount = frameCount
        self.timing = timing
        self.profileBytes = profileBytes
        self.hasMetadata = hasMetadata
        self.preview = preview
        self.gainMap = gainMap
        self.uncroppedSize = uncroppedSize
        self.fileBytes = fileBytes
    }

    package var coding: any PictureCoding {
        get { hashableCoding.base }
        set { hashableCoding = HashableCoding(base: newValue) }
    }

    /// Picture format.
    public var format: AttachmentFormat { coding.format }

    /// Displayed size, in pixels, after orientation.
    public var uprightSize: PixelSize { orientation.upright(storedSize) }

    /// Decoded size, in pixels, before any crop.
    public var codedSize: PixelSize { uncroppedSize ?? storedSize }

    /// True if the file has, or may have, more than one frame in time.
    public var isAnimated: Bool { frameCount != 1 }
}

extension AttachmentHeader {
    package var decodedSamples: Double {
        Double(storedSamples + (colourModel == .palette ? 2 : 0))
    }

    /// True if samples have, or may have, another meaning than in sRGB.
    package var convertsColours: Bool { profileBytes > 0 || colourTags != nil }

    /// Bytes per sample in the decoder's output; libvips gets 32-bit samples as 16-bit ones.
    package var decodedSampleBytes: Double { bitsPerSample > 8 ? 2 : 1 }

    package var storedSamples: Int {
        let colours =
            switch colourModel {
            case .grey, .palette: 1
            case .rgb: 3
            case .cmyk: 4
            }
        return colours + (hasAlpha ? 1 : 0)
    }
}

/// Meaning of a picture's channels.
public enum ColourModel: String, Sendable, Codable, CaseIterable {
    case grey
    /// Red, green and blue, possibly stored as YCbCr.
    case rgb
    /// Indices into a colour table.
    case palette
    /// Four inks, possibly stored as YCCK.
    case cmyk
}
