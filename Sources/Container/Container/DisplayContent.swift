public import Foundation

/// The content that an extension shows: a picture or its placeholder, colour and ratio.
public struct DisplayContent: Sendable, Hashable {
    /// The best picture for the display; nil if none is available, with the reason in `absence`.
    public let picture: Picture?
    /// The reason for a missing picture; nil if there is a picture.
    public let absence: Absence?
    /// The picture as a GIF, with a few frames to decode at a time; nil for a still, or if missing.
    public let animation: Picture?
    /// The sound or movie to play; nil for a picture, or if the file is missing.
    public let media: Media?
    /// Height divided by width of the whole picture, for the initial content-size ratio.
    public let contentSizeRatio: Double
    /// A blurred placeholder, to show before or instead of the picture.
    public let placeholder: ThumbHash
    /// The average colour of the picture.
    public let averageColour: Colour
    /// Notes on the picture for the user, for example `first frame of 12`.
    public let notes: [String]

    /// A file to show.
    public struct Picture: Sendable, Hashable {
        /// The file, which must not be moved: clone it to attach it.
        public let url: URL
        /// The uniform type identifier, such as `public.jpeg`.
        public let type: String
        /// The purpose: whole picture or square crop.
        public let role: RenditionRole
        /// The size, in pixels.
        public let size: PixelSize
        /// The digest of the file.
        package let sha256: ContentDigest
        /// The key of a sealed file; nil for a file in the clear.
        package let seal: Manifest.Rendition.Seal?

        /// True if the file is encrypted; read it with `data()` of `AttachmentDecryption`.
        public var isSealed: Bool { seal != nil }
    }

    /// A file to play.
    public struct Media: Sendable, Hashable {
        /// The file, which must not be moved: clone it to attach it.
        public let url: URL
        /// The uniform type identifier, such as `public.mpeg-4`.
        public let type: String
        /// The size as seen, in pixels; nil for sound, or if unknown.
        public let size: PixelSize?
        /// The playing time, in seconds; nil if unknown.
        public let duration: Double?
    }

    /// Reasons for a missing picture, whose raw values appear in logs.
    public enum Absence: String, Sendable, CaseIterable {
        /// No manifest: the notification was never published, or was evicted or forgotten.
        case unknown
        /// The manifest is damaged, of a later format, or not readable for this process.
        case unreadable
        /// The manifest exists, but every suitable rendition is missing, incomplete, or sealed with another
        /// key than the present one.
        case evicted
        /// Every rendition exceeds the display's render budget.
        case overBudget = "over-budget"
        /// Sound, a movie without an extracted frame, or renditions for other surfaces only; the
        /// notes give the reason.
        case noPicture = "no-picture"
    }
}

extension DisplayContent {
    /// Plain grey content, for a missing picture and without a container.
    public static func neutral(
        _ absence: Absence = .unknown, on display: Display
    ) -> DisplayContent {
        previewing(.unknown, absence, on: display)
    }

    package static let neutralColour = Colour(red: 142, green: 142, blue: 147)
}
