public import Foundation

/// What a content extension shows of a notification: the picture, or what stands in for it.
///
/// There is always a placeholder, a colour and a ratio, whatever became of the picture.
public struct DisplayContent: Sendable, Hashable {
    /// The best picture for the display; nil when there is none, for which `absence` has the reason.
    public let picture: Picture?
    /// Why there is no picture; nil when there is one.
    public let absence: Absence?
    /// The same as a GIF that moves, to be shown in the picture's place by who holds no more than a
    /// few of its frames at a time; nil when it does not move, or when its file is gone.
    public let animation: Picture?
    /// The sound or movie to play; nil when the attachment is a picture, and when its file is gone.
    ///
    /// The picture is then a frame of the movie.
    public let media: Media?
    /// Height divided by width of the whole picture: the initial content-size ratio.
    public let contentSizeRatio: Double
    /// A blurred likeness, to be shown until, or instead of, the picture.
    public let placeholder: ThumbHash
    /// The average colour of the picture.
    public let averageColour: Colour
    /// What a person should know of the picture, for example `first frame of 12`.
    public let notes: [String]

    /// A file to show.
    public struct Picture: Sendable, Hashable {
        /// Where the file is.
        ///
        /// It may be read, and must not be moved: clone it to attach it.
        public let url: URL
        /// The kind of file: a uniform type identifier such as `public.jpeg`.
        public let type: String
        /// What the picture is for: whole, or a square cut from it.
        public let role: RenditionRole
        /// The size, in pixels.
        public let size: PixelSize
    }

    /// A file to play.
    public struct Media: Sendable, Hashable {
        /// Where the file is.
        ///
        /// It may be read, and must not be moved: clone it to attach it.
        public let url: URL
        /// The kind of file: a uniform type identifier such as `public.mpeg-4`.
        public let type: String
        /// The size as seen, in pixels; nil for sound, and where it is unknown.
        public let size: PixelSize?
        /// How long it plays, in seconds; nil where it is unknown.
        public let duration: Double?
    }

    /// Why there is only a placeholder.
    ///
    /// The raw values appear in logs.
    public enum Absence: String, Sendable, CaseIterable {
        /// There is no manifest: the notification was never published, or was evicted or forgotten.
        case unknown
        /// The manifest is damaged, of a later format, or the system does not let it be read.
        case unreadable
        /// The manifest is there, and the renditions that would serve are gone or not whole.
        case evicted
        /// Every rendition takes more decoded bytes than the display may spend.
        case overBudget = "over-budget"
        /// The attachment is sound, or a movie of which no frame was taken; the notes say why.
        case noPicture = "no-picture"
    }
}

extension DisplayContent {
    /// What stands in for a picture of which nothing is known: a plain grey.
    ///
    /// It serves as well where there is no container to ask.
    ///
    /// - Parameters:
    ///   - absence: Why nothing is known. The default is that there is no manifest.
    ///   - display: What there is to show it with; its initial content-size ratio is kept.
    /// - Returns: The content.
    public static func neutral(
        _ absence: Absence = .unknown, on display: Display
    ) -> DisplayContent {
        DisplayContent(
            picture: nil, absence: absence, animation: nil, media: nil,
            contentSizeRatio: display.initialContentSizeRatio,
            placeholder: ThumbHash(uniform: neutralColour), averageColour: neutralColour, notes: [])
    }

    /// The grey that Apple's Human Interface Guidelines use in light and dark appearance alike
    /// (`systemGray`).
    package static let neutralColour = Colour(red: 142, green: 142, blue: 147)
}
