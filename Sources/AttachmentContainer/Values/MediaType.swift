/// The kinds of sound and movie that the system takes as an attachment.
///
/// The raw values are uniform type identifiers. The list is that of Apple's documentation of
/// `UNNotificationAttachment`: AIFF, WAV, MP3 and MPEG-4 audio; MPEG, MPEG-2 video, MPEG-4 and AVI.
public enum MediaType: String, Sendable, Codable, CaseIterable {
    /// AIFF and AIFF-C.
    case aiff = "public.aiff-audio"
    /// WAV.
    case wav = "com.microsoft.waveform-audio"
    /// MP3: MPEG audio, layer III.
    case mp3 = "public.mp3"
    /// Sound in an MPEG-4 file.
    case mpeg4Audio = "public.mpeg-4-audio"
    /// MPEG-1 video, and program streams of MPEG-1 and MPEG-2.
    case mpeg = "public.mpeg"
    /// MPEG-2 video without a container.
    case mpeg2Video = "public.mpeg-2-video"
    /// A movie in an MPEG-4 file.
    case mpeg4 = "public.mpeg-4"
    /// AVI.
    case avi = "public.avi"

    /// What a person does with it, and what limits its length.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// It is heard.
        case sound
        /// It is seen, and perhaps heard.
        case movie
    }

    /// Whether it is sound or a movie.
    public var kind: Kind {
        switch self {
        case .aiff, .wav, .mp3, .mpeg4Audio: .sound
        case .mpeg, .mpeg2Video, .mpeg4, .avi: .movie
        }
    }

    /// The extension of its files, without a full stop.
    ///
    /// The system refuses an attachment whose extension does not tell its type.
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
