public import AttachmentContainer

/// Header facts of an attachment, read by the probe without decoding pixels.
public struct AttachmentHeader: Sendable, Hashable, Codable {
    /// Picture format.
    public var format: AttachmentFormat
    /// Pixel coding, on which the decoding memory depends.
    public var coding: Coding
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
    /// Number of frames in time; 1 for a still.
    ///
    /// Nil when counting them would exceed the probe's read limit.
    public var frameCount: Int?
    /// Playback timing; nil for a still, and when only the decoder can determine it.
    public var timing: AnimationTiming?
    /// Stored length of the embedded ICC profile, in bytes; 0 without one.
    ///
    /// For PNG this is the compressed length.
    public var profileBytes: Int
    /// True if the file has, or may have, Exif, XMP, comments, an ICC profile or colour tags.
    public var hasMetadata: Bool
    /// Chroma subsampling such as `4:2:0`, for formats that have it.
    public var chromaSubsampling: String?
    /// Size of a TIFF strip or tile or a HEIF grid tile, in pixels.
    ///
    /// Nil for other formats and unknown sizes.
    public var unitSize: PixelSize?
    /// Embedded preview; nil without one.
    public var preview: EmbeddedPreview?
    /// Size before HEIF's crop, in pixels; nil without a crop.
    public var uncroppedSize: PixelSize?
    /// Headers of HEIF's coded frames, one of each kind.
    ///
    /// Empty for other formats, and when a header is missing.
    public var frames: [FrameHeader]
    /// Length of the file, in bytes.
    public var fileBytes: ByteCount

    /// Creates a header.
    ///
    /// - Parameters:
    ///   - format: The picture format.
    ///   - coding: The pixel coding.
    ///   - storedSize: The stored size, in pixels.
    ///   - orientation: The orientation of the stored picture. The default is upright.
    ///   - colourModel: The meaning of the channels.
    ///   - hasAlpha: True if anything is transparent. The default is false.
    ///   - bitsPerSample: The bits per sample. The default is 8.
    ///   - frameCount: The number of frames in time, or nil when unknown. The default is 1.
    ///   - timing: The playback timing. The default is nil.
    ///   - profileBytes: The length of the ICC profile, in bytes. The default is 0.
    ///   - hasMetadata: True if the file has metadata. The default is false.
    ///   - chromaSubsampling: The chroma subsampling. The default is nil.
    ///   - unitSize: The size of a strip or tile. The default is nil.
    ///   - preview: The embedded preview. The default is nil.
    ///   - uncroppedSize: The size before a crop. The default is nil: no crop.
    ///   - frames: The headers of HEIF's coded frames. The default is empty.
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

    /// Displayed size, in pixels, after orientation.
    public var uprightSize: PixelSize { orientation.upright(storedSize) }

    /// Decoded size, in pixels, before any crop.
    public var codedSize: PixelSize { uncroppedSize ?? storedSize }

    /// True if the file has, or may have, more than one frame in time.
    public var isAnimated: Bool { frameCount != 1 }
}

extension AttachmentHeader {
    /// Pixel codings of all formats.
    public enum Coding: String, Sendable, Codable, CaseIterable {
        /// JPEG with all components in one scan: decodes row by row.
        case baseline
        /// JPEG in several scans: the library holds every coefficient.
        case progressive
        /// Sequential JPEG with one component per scan: held whole, like progressive.
        case nonInterleaved = "non-interleaved"
        /// JPEG with arithmetic entropy coding, sequential or progressive.
        case arithmetic
        /// PNG without interlacing.
        case sequential
        /// PNG with Adam7 interlacing: the library holds the whole picture.
        case interlaced
        /// WebP with a VP8 first frame.
        case lossy
        /// WebP with a VP8L first frame: the library holds the whole picture.
        case lossless
        /// GIF: LZW over a palette.
        case palette
        /// HEIF with a grid of tiles as its primary item.
        case grid
        /// HEIF with one coded picture as its primary item.
        case single
        /// HEIF with an overlay as its primary item: coded pictures placed on a canvas.
        case overlay
        /// TIFF in strips.
        case strips
        /// TIFF in tiles.
        case tiles
    }

    /// Meaning of a picture's channels.
    public enum ColourModel: String, Sendable, Codable, CaseIterable {
        /// One channel of luminance.
        case grey
        /// Red, green and blue, possibly stored as YCbCr.
        case rgb
        /// Indices into a colour table.
        case palette
        /// Four inks, possibly stored as YCCK.
        case cmyk
    }
}
