public import AttachmentContainer

/// How long sound and movies may be that are passed through.
///
/// The defaults are what the system takes as an attachment (Apple, `UNNotificationAttachment`).
public struct MediaLimits: Sendable, Hashable, Codable {
    /// The longest sound.
    ///
    /// The default is 5 MB.
    public var sound: ByteCount = .megabytes(5)
    /// The longest movie.
    ///
    /// The default is 50 MB.
    public var movie: ByteCount = .megabytes(50)

    /// Makes limits with every default.
    public init() {}

    /// The limit for a kind.
    ///
    /// - Parameter kind: Sound or a movie.
    /// - Returns: The longest file that it may be.
    public func limit(for kind: MediaType.Kind) -> ByteCount {
        switch kind {
        case .sound: sound
        case .movie: movie
        }
    }
}
