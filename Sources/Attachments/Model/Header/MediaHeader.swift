public import AttachmentContainer

/// Header facts of a sound or movie, read by the probe; media is never decoded.
public struct MediaHeader: Sendable, Hashable, Codable {
    /// File format.
    public var format: Format
    /// Type of the attachment.
    public var type: MediaType
    /// Codec of the video, otherwise of the audio, such as `avc1`; nil when unnamed.
    public var coding: String?
    /// Duration, in seconds; nil when the header does not state it.
    public var duration: Double?
    /// Displayed size, in pixels; nil for sound, and when the header does not state it.
    public var size: PixelSize?
    /// Reason why the system cannot play the movie, without a full stop; nil if it can.
    public var obstacle: String?
    /// True if the file is shorter than its header states.
    public var endsEarly: Bool
    /// Length of the file, in bytes.
    public var fileBytes: ByteCount

    /// Creates a header; an implausible duration (above thirty years) becomes nil.
    public init(
        format: Format, type: MediaType, coding: String? = nil, duration: Double? = nil,
        size: PixelSize? = nil, obstacle: String? = nil, endsEarly: Bool = false,
        fileBytes: ByteCount
    ) {
        self.format = format
        self.type = type
        self.coding = coding
        self.duration = duration.flatMap {
            Manifest.Rendition.credibleDurations.contains($0) ? $0 : nil
        }
        self.size = size
        self.obstacle = obstacle
        self.endsEarly = endsEarly
        self.fileBytes = fileBytes
    }

    /// Detected media formats.
    public enum Format: String, Sendable, Codable, CaseIterable {
        case aiff
        case wav
        /// MPEG audio layer III, with or without tags.
        case mp3
        /// ISO base media with an MPEG-4 brand.
        case mpeg4 = "mp4"
        /// QuickTime with codecs that MPEG-4 also has.
        case quickTime = "mov"
        case mpegProgram = "mpeg-ps"
        case mpegVideo = "mpeg-video"
        case avi
    }
}
