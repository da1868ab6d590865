public import AttachmentContainer

/// Length limits for sounds and movies, by default the limits of `UNNotificationAttachment`.
public struct MediaLimits: Sendable, Hashable, Codable {
    /// Maximum length of a sound, by default 5 MB.
    public var sound: ByteCount = .megabytes(5)
    /// Maximum length of a movie, by default 50 MB.
    public var movie: ByteCount = .megabytes(50)

    /// Creates limits with default values.
    public init() {}

    /// Maximum file length for a kind of media.
    public func limit(for kind: MediaType.Kind) -> ByteCount {
        switch kind {
        case .sound: sound
        case .movie: movie
        }
    }
}
