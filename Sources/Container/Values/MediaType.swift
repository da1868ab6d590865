/// Sound and movie types that the system accepts as attachments, by uniform type identifier.
///
/// Apple's documentation of `UNNotificationAttachment` lists them.
public enum MediaType: String, Sendable, Codable, CaseIterable {
    /// AIFF and AIFF-C.
    case aiff = "public.aiff-audio"
    case wav = "com.microsoft.waveform-audio"
    /// MP3: MPEG audio, layer III.
    case mp3 = "public.mp3"
    case mpeg4Audio = "public.mpeg-4-audio"
    /// MPEG-1 video, and program streams of MPEG-1 and MPEG-2.
    case mpeg = "public.mpeg"
    case mpeg2Video = "public.mpeg-2-video"
    case mpeg4 = "public.mpeg-4"
    case avi = "public.avi"

    /// Sound or movie, which have different size limits.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// Audio only.
        case sound
        /// Video, with or without audio.
        case movie
    }

    /// Sound or movie.
    public var kind: Kind {
        switch self {
        case .aiff, .wav, .mp3, .mpeg4Audio: .sound
        case .mpeg, .mpeg2Video, .mpeg4, .avi: .movie
        }
    }

    /// The file name extension, without a full stop; the system requires that it matches the type.
    public var fileExtension: String {
        switch self {
        case .aiff: "aiff"
        case .wav: "wav"
        case .mp3: "mp3"
        case .mpeg4Audio: "m4a"
        case .mpeg: "mpg"
        case .mpeg2Video: "m2v"
        case .mpeg4: "mp4"
        case .avi: "avi"
        }
    }
}
