/// The result of the pre-delivery stage, for the code that shows the notification.
///
/// It travels in the payload as the object `thimble`: `outcome`, `reason`, `id`, `ratio`,
/// `rendition`, `type`, `colour` and `placeholder`.
public struct DeliveryNote: Sendable, Hashable {
    /// The outcome of the attachment.
    public var outcome: Kind
    /// A machine-readable reason for the outcome; nil if the outcome needs no explanation.
    public var reason: String?
    /// The notification's identifier in the container; nil to omit it.
    public var identifier: String?
    /// Height divided by width of the expanded rendition; nil if unknown.
    public var contentSizeRatio: Double?
    /// A blurred preview as a base64 ThumbHash; nil if unavailable.
    public var placeholder: String?
    /// The average colour, `#rrggbb`; nil if unavailable.
    public var averageColour: String?
    /// The picture to show; nil without a picture.
    public var rendition: Rendition?

    /// Creates a note.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the attachment.
    ///   - reason: A machine-readable reason for the outcome. The default is nil.
    ///   - identifier: The notification's identifier. The default is nil.
    ///   - contentSizeRatio: Height divided by width, finite and above zero. The default is nil.
    ///   - placeholder: A blurred preview as a base64 ThumbHash. The default is nil.
    ///   - averageColour: The average colour, `#rrggbb`. The default is nil.
    ///   - rendition: The picture to show. The default is nil.
    public init(
        outcome: Kind, reason: String? = nil, identifier: String? = nil,
        contentSizeRatio: Double? = nil, placeholder: String? = nil, averageColour: String? = nil,
        rendition: Rendition? = nil
    ) {
        self.outcome = outcome
        self.reason = reason
        self.identifier = identifier
        self.contentSizeRatio = contentSizeRatio
        self.placeholder = placeholder
        self.averageColour = averageColour
        self.rendition = rendition
    }
}

extension DeliveryNote {
    /// The outcome of an attachment, best first.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The value in the payload.
        public let rawValue: String

        /// Creates an outcome, known or unknown, from its value in a payload.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The renditions requested.
        public static let rendition = Kind(rawValue: "rendition")
        /// Renditions of a lower rung of the ladder.
        public static let lowerRung = Kind(rawValue: "lower-rung")
        /// The original attachment.
        public static let original = Kind(rawValue: "original")
        /// The notification without a picture.
        public static let withoutPicture = Kind(rawValue: "without-picture")
    }

    /// A picture in the container.
    public struct Rendition: Sendable, Hashable {
        /// The file, relative to the container's renditions folder.
        public var file: String
        /// Its uniform type identifier, such as `public.jpeg`.
        public var type: String

        /// Creates a reference to a picture.
        ///
        /// - Parameters:
        ///   - file: The file, relative to the container's renditions folder.
        ///   - type: Its uniform type identifier.
        public init(file: String, type: String) {
            self.file = file
            self.type = type
        }
    }
}

extension DeliveryNote: CustomStringConvertible {
    /// The outcome and its reason, without the private identifier.
    public var description: String {
        reason.map { "\(outcome.rawValue): \($0)" } ?? outcome.rawValue
    }
}
