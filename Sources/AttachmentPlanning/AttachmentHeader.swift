public import AttachmentContainer

/// What the probe learnt of an attachment from its header, before any pixel was decoded.
public struct AttachmentHeader: Sendable, Hashable, Codable {
    /// The kind of picture.
    public var format: AttachmentFormat
    /// How the pixels are coded; what decoding costs in memory hangs on it.
    public var coding: Coding
    /// The size as stored, in pixels, before orientation; for HEIF after its crop (`clap`).
    public var storedSize: PixelSize
    /// How the stored picture must be turned.
    public var orientation: Orientation
    /// What the channels mean.
    public var colourModel: ColourModel
    /// Whether the file carries an alpha channel, a transparent colour or a transparent palette.
    public var hasAlpha: Bool
    /// The depth of one sample, in bits; for a palette, the depth of an index.
    public var bitsPerSample: Int
    /// The number of pictures that follow each other in time; 1 for a still, nil when counting them
    /// would mean reading beyond the probe's bound.
    public var frameCount: Int?
    /// How the pictures follow each other; nil for a still, and for what only the decoder knows.
    public var timing: AnimationTiming?
    /// The length of the embedded ICC profile as it is in the file, in bytes, which in PNG is its
    /// compressed length; 0 when there is none.
    public var profileBytes: Int
    /// Whether there is, or may be, anything besides the picture: Exif, XMP, comments, ICC profile,
    /// colour tags.
    public var hasMetadata: Bool
    /// Luma to chroma sampling as in `4:2:0`, where the format has one.
    public var chromaSubsampling: String?
    /// The size of the piece that the decoder takes at once, in pixels: a strip or tile of TIFF, a
    /// tile of a HEIF grid; nil where there are no such pieces, or their size is unknown.
    public var unitSize: PixelSize?
    /// The small picture that was embedded beside the large one; nil when there is none.
    public var preview: EmbeddedPreview?
    /// The size before the crop of HEIF, in pixels; nil where nothing is cropped.
    public var uncroppedSize: PixelSize?
    /// The headers of the coded frames of HEIF, one of each kind; empty for other formats, and where
    /// a header is missing.
    public var frames: [FrameHeader]
    /// The length of the file, in bytes.
    public var fileBytes: ByteCount

    /// Makes a header from its parts.
    ///
    /// - Parameters:
    ///   - format: The kind of picture.
    ///   - coding: How the pixels are coded.
    ///   - storedSize: The size as stored, in pixels.
    ///   - orientation: How the stored picture must be turned. The default is upright.
    ///   - colourModel: What the channels mean.
    ///   - hasAlpha: Whether anything is transparent. The default is false.
    ///   - bitsPerSample: The depth of one sample, in bits. The default is 8.
    ///   - frameCount: Pictures in time, nil when unknown. The default is 1.
    ///   - timing: How the pictures follow each other. The default is nil.
    ///   - profileBytes: The length of the ICC profile, in bytes. The default is 0.
    ///   - hasMetadata: Whether there is anything besides the picture. The default is false.
    ///   - chromaSubsampling: Luma to chroma sampling. The default is nil.
    ///   - unitSize: The size of the piece that the decoder takes at once. The default is nil.
    ///   - preview: The embedded small picture. The default is nil.
    ///   - uncroppedSize: The size before a crop. The default is nil: nothing is cropped.
    ///   - frames: The headers of the coded frames of HEIF. The default is none.
    ///   - fileBytes: The length of the file, in bytes.
    public init(
        format: AttachmentFormat, coding: Coding, storedSize: PixelSize,
        orientation: Orientation = .upright, colourModel: ColourModel, hasAlpha: Bool = false,
        bitsPerSample: Int = 8, frameCount: Int? = 1,
        timing: AnimationTiming? = nil, profileBytes: Int = 0, hasMetadata: Bool = false,
        chromaSubsampling: String? = nil, unitSize: PixelSize? = nil,
        preview: EmbeddedPreview? = nil, uncroppedSize: PixelSize? = nil,
        frames: [FrameHeader] = [], fileBytes: ByteCount
    ) {
        self.format = format
        self.coding = coding
        self.storedSize = storedSize
        self.orientation = orientation
        self.colourModel = colourModel
        self.hasAlpha = hasAlpha
        self.bitsPerSample = bitsPerSample
        self.frameCount = frameCount
        self.timing = timing
        self.profileBytes = profileBytes
        self.hasMetadata = hasMetadata
        self.chromaSubsampling = chromaSubsampling
        self.unitSize = unitSize
        self.preview = preview
        self.uncroppedSize = uncroppedSize
        self.frames = frames
        self.fileBytes = fileBytes
    }

    /// The size as seen, in pixels, after orientation.
    public var uprightSize: PixelSize { orientation.upright(storedSize) }

    /// The size that is decoded, in pixels, before anything is cropped.
    public var codedSize: PixelSize { uncroppedSize ?? storedSize }

    /// Whether there is, or may be, more than one picture in time.
    public var isAnimated: Bool { frameCount != 1 }
}

extension AttachmentHeader {
    /// How the pixels of an attachment are coded.
    public enum Coding: String, Sendable, Codable, CaseIterable {
        /// JPEG whose one scan holds all components: decodes row by row.
        case baseline
        /// JPEG in several scans: the library keeps every coefficient.
        case progressive
        /// JPEG, sequential, whose components come one after the other: kept whole like progressive.
        case nonInterleaved = "non-interleaved"
        /// JPEG with arithmetic entropy coding, sequential or progressive.
        case arithmetic
        /// PNG, rows in order.
        case sequential
        /// PNG with Adam7 interlacing: the library keeps the whole picture.
        case interlaced
        /// WebP whose first frame is VP8.
        case lossy
        /// WebP whose first frame is VP8L: the library keeps the whole picture.
        case lossless
        /// GIF, LZW over a palette.
        case palette
        /// HEIF whose primary item is put together from tiles.
        case grid
        /// HEIF whose primary item is one coded picture.
        case single
        /// HEIF whose primary item places coded pictures on a canvas.
        case overlay
        /// TIFF stored in strips.
        case strips
        /// TIFF stored in tiles.
        case tiles
    }

    /// What the channels of a picture mean.
    public enum ColourModel: String, Sendable, Codable, CaseIterable {
        /// One channel of luminance.
        case grey
        /// Red, green and blue, or a transform of them that the decoder undoes (YCbCr).
        case rgb
        /// Indices into a table of colours.
        case palette
        /// Four inks, or a transform of them that the decoder undoes (YCCK).
        case cmyk
    }
}
