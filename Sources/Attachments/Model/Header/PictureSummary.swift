public import AttachmentContainer

/// Facts of a picture's header in plain values, for reports and between processes.
public struct PictureSummary: Sendable, Hashable, Codable {
    /// Picture format.
    public let format: AttachmentFormat
    /// Name of the pixel coding, such as `progressive`.
    public let coding: String
    /// Stored size, in pixels, before orientation; for HEIF, after its crop (`clap`).
    public let storedSize: PixelSize
    /// Orientation of the stored picture.
    public let orientation: Orientation
    /// Meaning of the channels.
    public let colourModel: ColourModel
    /// True if the file has an alpha channel, a transparent colour or a transparent palette.
    public let hasAlpha: Bool
    /// Bits per sample; for a palette, bits per index.
    public let bitsPerSample: Int
    /// Number of frames in time; 1 for a still, nil when unknown.
    public let frameCount: Int?
    /// Playback timing; nil for a still, and when only the decoder can determine it.
    public let timing: AnimationTiming?
    /// Length of the embedded ICC profile, in bytes; 0 without one.
    public let profileBytes: Int
    /// True if the file has, or may have, Exif, XMP, comments, an ICC profile or colour tags.
    public let hasMetadata: Bool
    /// Chroma subsampling such as `4:2:0`, for formats that have it.
    public let chromaSubsampling: String?
    /// Size of a TIFF strip or tile or a HEIF grid tile, in pixels; nil without.
    public let unitSize: PixelSize?
    /// Stored size of the embedded preview, in pixels; nil without one.
    public let previewSize: PixelSize?
    /// Kind of the HDR gain map, which renditions do without; nil without one.
    public let gainMap: GainMapKind?
    /// Size before HEIF's crop, in pixels; nil without a crop.
    public let uncroppedSize: PixelSize?
    /// Length of the file, in bytes.
    public let fileBytes: ByteCount

    /// Summarises a header.
    public init(_ header: AttachmentHeader) {
        format = header.format
        coding = header.coding.name
        storedSize = header.storedSize
        orientation = header.orientation
        colourModel = header.colourModel
        hasAlpha = header.hasAlpha
        bitsPerSample = header.bitsPerSample
        frameCount = header.frameCount
        timing = header.timing
        profileBytes = header.profileBytes
        hasMetadata = header.hasMetadata
        chromaSubsampling = header.coding.subsamplingName
        unitSize = header.coding.unitSize
        previewSize = header.preview?.size
        gainMap = header.gainMap
        uncroppedSize = header.uncroppedSize
        fileBytes = header.fileBytes
    }

    /// Displayed size, in pixels, after orientation.
    public var uprightSize: PixelSize { orientation.upright(storedSize) }

    /// True if the file has, or may have, more than one frame in time.
    public var isAnimated: Bool { frameCount != 1 }
}
