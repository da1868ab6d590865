extension DisplayContent {
    /// Facts about a picture that are known without the container, such as those in a payload.
    ///
    /// They may be from a stranger: implausible ones are ignored.
    public struct Preview: Sendable, Hashable {
        /// Height divided by width of the picture; nil if unknown or implausible.
        public let contentSizeRatio: Double?
        /// A blurred placeholder; nil if unknown.
        public let placeholder: ThumbHash?
        /// The average colour of the picture; nil if unknown.
        public let averageColour: Colour?

        /// The preview of a picture about which nothing is known.
        public static let unknown = Preview()

        /// Creates a preview; by default nothing is known.
        ///
        /// Ratios of sides that no decoder accepts count as unknown.
        public init(
            contentSizeRatio: Double? = nil, placeholder: ThumbHash? = nil,
            averageColour: Colour? = nil
        ) {
            self.contentSizeRatio = contentSizeRatio.flatMap {
                Manifest.isCredible(ratio: $0) ? $0 : nil
            }
            self.placeholder = placeholder
            self.averageColour = averageColour
        }
    }

    /// Content without a picture and without a manifest: the preview, and grey for what it lacks.
    ///
    /// A placeholder also gives a missing colour, and roughly a missing ratio. Without both, the ratio
    /// is the display's initial one.
    public static func previewing(
        _ preview: Preview, _ absence: Absence = .unknown, on display: Display
    ) -> DisplayContent {
        let colour = preview.averageColour ?? preview.placeholder?.averageColour ?? neutralColour
        return DisplayContent(
            picture: nil, absence: absence, animation: nil, media: nil,
            contentSizeRatio: preview.contentSizeRatio ?? preview.placeholder?.approximateRatio
                ?? display.initialContentSizeRatio,
            placeholder: preview.placeholder ?? ThumbHash(uniform: colour), averageColour: colour,
            notes: [])
    }
}
