/// What the pre-delivery stage learnt of a notification, for whoever shows it.
///
/// It travels in the payload as the object `thimble`: `outcome`, `reason`, `id`, `ratio`,
/// `rendition`, `type`, `colour` and `placeholder`.
public struct DeliveryNote: Sendable, Hashable {
    /// What came of the attachment.
    public var outcome: Outcome
    /// Why it came so, as a word for machines; nil when there is nothing to explain.
    public var reason: String?
    /// The notification's identifier, under which the container has it; nil not to tell.
    public var identifier: String?
    /// Height divided by width of the expanded rendition; nil when there is none.
    public var contentSizeRatio: Double?
    /// A blurred likeness, a ThumbHash in base64; nil when there is none.
    public var placeholder: String?
    /// The average colour, `#rrggbb`; nil when there is none.
    public var averageColour: String?
    /// The picture to show; nil when there is none.
    public var rendition: Rendition?

    /// Makes a note.
    ///
    /// - Parameters:
    ///   - outcome: What came of the attachment.
    ///   - reason: Why it came so, as a word for machines. The default is nothing to explain.
    ///   - identifier: The notification's identifier. The default is not to tell.
    ///   - contentSizeRatio: Height divided by width, finite and above zero. The default is none.
    ///   - placeholder: A blurred likeness, in base64. The default is none.
    ///   - averageColour: The average colour, `#rrggbb`. The default is none.
    ///   - rendition: The picture to show. The default is none.
    public init(
        outcome: Outcome, reason: String? = nil, identifier: String? = nil,
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
    /// What came of an attachment, best first.
    public struct Outcome: RawRepresentable, Sendable, Hashable {
        /// The word in the payload.
        public let rawValue: String

        /// Takes the word of a payload, known or not.
        ///
        /// - Parameter rawValue: The word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The renditions that were asked for.
        public static let rendition = Outcome(rawValue: "rendition")
        /// Renditions of a lower rung of the ladder.
        public static let lowerRung = Outcome(rawValue: "lower-rung")
        /// The attachment itself.
        public static let original = Outcome(rawValue: "original")
        /// The notification without a picture.
        public static let withoutPicture = Outcome(rawValue: "without-picture")
    }

    /// A picture in the container.
    public struct Rendition: Sendable, Hashable {
        /// The file, relative to the container's folder of renditions.
        public var file: String
        /// Its uniform type identifier, such as `public.jpeg`.
        public var type: String

        /// Names a picture.
        ///
        /// - Parameters:
        ///   - file: The file, relative to the container's folder of renditions.
        ///   - type: Its uniform type identifier.
        public init(file: String, type: String) {
            self.file = file
            self.type = type
        }
    }
}

extension DeliveryNote: CustomStringConvertible {
    /// The outcome and its reason, without the identifier, which is private.
    public var description: String {
        reason.map { "\(outcome.rawValue): \($0)" } ?? outcome.rawValue
    }
}
