public import AttachmentContainer

/// What the probe learnt of sound or a movie from its header, which nothing decodes.
public struct MediaHeader: Sendable, Hashable, Codable {
    /// The format of the file.
    public var format: Format
    /// The type that it is attached as.
    public var type: MediaType
    /// How what is seen, or else heard, is coded: the format's own name for it, as in `avc1`; nil
    /// where the header has none.
    public var coding: String?
    /// How long it plays, in seconds; nil where the header does not say.
    public var duration: Double?
    /// The size as seen, in pixels; nil for sound, and where the header does not say.
    public var size: PixelSize?
    /// Whether the file ends before what its header announces.
    public var endsEarly: Bool
    /// The length of the file, in bytes.
    public var fileBytes: ByteCount

    /// Makes a header from its parts.
    ///
    /// - Parameters:
    ///   - format: The format of the file.
    ///   - type: The type that it is attached as.
    ///   - coding: How it is coded. The default is unknown.
    ///   - duration: How long it plays, in seconds; what no file can hold, more than thirty years,
    ///     counts as unknown. The default is unknown.
    ///   - size: The size as seen, in pixels. The default is none.
    ///   - endsEarly: Whether the file ends before what its header announces. The default is false.
    ///   - fileBytes: The length of the file, in bytes.
    public init(
        format: Format, type: MediaType, coding: String? = nil, duration: Double? = nil,
        size: PixelSize? = nil, endsEarly: Bool = false, fileBytes: ByteCount
    ) {
        self.format = format
        self.type = type
        self.coding = coding
        self.duration = duration.flatMap {
            Manifest.Rendition.credibleDurations.contains($0) ? $0 : nil
        }
        self.size = size
        self.endsEarly = endsEarly
        self.fileBytes = fileBytes
    }

    /// The formats that are told apart.
    public enum Format: String, Sendable, Codable, CaseIterable {
        /// AIFF and AIFF-C.
        case aiff
        /// RIFF with `WAVE`.
        case wav
        /// MPEG audio, layer III, with tags or without.
        case mp3
        /// ISO base media with a brand of MPEG-4.
        case mpeg4 = "mp4"
        /// QuickTime, which MPEG-4 was made of, with codings that MPEG-4 has too.
        case quickTime = "mov"
        /// A program stream of MPEG-1 or MPEG-2.
        case mpegProgram = "mpeg-ps"
        /// MPEG-1 or MPEG-2 video without a container.
        case mpegVideo = "mpeg-video"
        /// RIFF with `AVI `.
        case avi
    }
}
