public import Foundation

/// What a content extension has to show a picture with.
public struct Display: Sendable, Hashable {
    /// The width of the view, in points.
    public var width: Double
    /// Pixels a point.
    public var scale: Double
    /// The decoded bytes (width × height × 4) that may be spent on the picture.
    public var renderBudget: ByteCount

    /// Makes a display.
    ///
    /// - Parameters:
    ///   - width: The width of the view, in points.
    ///   - scale: Pixels a point.
    ///   - renderBudget: The decoded bytes that may be spent. The default is 8 MiB.
    public init(width: Double, scale: Double, renderBudget: ByteCount = .mebibytes(8)) {
        self.width = width
        self.scale = scale
        self.renderBudget = renderBudget
    }

    /// The width, in pixels.
    var pixelWidth: Double { (width * scale).rounded() }
}

/// What a content extension shows of a notification.
public struct DisplayContent: Sendable, Hashable {
    /// The best picture for the display; nil when none fits its render budget or none is there.
    public let picture: Picture?
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
}
