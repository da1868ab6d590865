/// The result of the pre-delivery stage, for the code that shows the notification.
///
/// It travels in the payload as an object, by default `thimble`: `outcome`, `index`, `reason`, `id`,
/// `ratio`, `rendition`, `type`, `width`, `height`, `bytes`, `others`, `colour`, `placeholder` and
/// `inline`. It describes the first attachment with a picture; `others` lists further ones.
public struct DeliveryNote: Sendable, Hashable {
    /// The outcome of the attachment.
    public var outcome: Kind
    /// The position of the attachment among the payload's attachments, from 0.
    public var index: Int
    /// A machine-readable reason for the outcome; nil if the outcome needs no explanation.
    public var reason: String?
    /// The identifier of the manifest in the container; nil to omit it.
    public var identifier: String?
    /// Height divided by width of the expanded rendition; nil if unknown.
    public var contentSizeRatio: Double?
    /// A blurred preview as a base64 ThumbHash; nil if unavailable.
    public var placeholder: String?
    /// The average colour, `#rrggbb`; nil if unavailable.
    public var averageColour: String?
    /// The picture to show; nil without a picture.
    public var rendition: Rendition?
    /// The text of an ``InlinePicture``; nil to send none.
    public var inlinePicture: String?
    /// The notes on further attachments, in the order of the payload.
    ///
    /// They are written without placeholder, colour and ratio, which the manifest has, and without inline
    /// pictures.
    public var others: [DeliveryNote]

    /// Creates a note.
    ///
    /// - Parameters:
    ///   - outcome: The outcome of the attachment.
    ///   - index: The position of the attachment in the payload. The default is 0.
    ///   - reason: A machine-readable reason for the outcome. The default is nil.
    ///   - identifier: The identifier of the manifest. The default is nil.
    ///   - contentSizeRatio: Height divided by width, finite and above zero. The default is nil.
    ///   - placeholder: A blurred preview as a base64 ThumbHash. The default is nil.
    ///   - averageColour: The average colour, `#rrggbb`. The default is nil.
    ///   - rendition: The picture to show. The default is nil.
    ///   - inlinePicture: The text of an ``InlinePicture``. The default is nil.
    ///   - others: The notes on further attachments. The default is empty.
    public init(
        outcome: Kind, index: Int = 0, reason: String? = nil, identifier: String? = nil,
        contentSizeRatio: Double? = nil, placeholder: String? = nil, averageColour: String? = nil,
        rendition: Rendition? = nil, inlinePicture: String? = nil, others: [DeliveryNote] = []
    ) {
        self.outcome = outcome
        self.index = index
        self.reason = reason
        self.identifier = identifier
        self.contentSizeRatio = contentSizeRatio
        self.placeholder = placeholder
        self.averageColour = averageColour
        self.rendition = rendition
        self.inlinePicture = inlinePicture
        self.others = others
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
        /// Renditions that the payload has no room to name.
        public static let noRoom = Kind(rawValue: "no-room")
        /// The original attachment.
        public static let original = Kind(rawValue: "original")
        /// A drawing that explains why the attachment is missing; only of a service extension.
        public static let explanation = Kind(rawValue: "explanation")
        /// The notification without a picture.
        public static let withoutPicture = Kind(rawValue: "without-picture")
    }

    /// A picture in the container.
    public struct Rendition: Sendable, Hashable {
        /// The file, relative to the container's renditions folder.
        public var file: String
        /// The file's uniform type identifier, such as `public.jpeg`.
        public var type: String
        /// The file's size, in bytes; nil if unknown.
        public var bytes: Int?
        /// The picture's width, in pixels; nil for sound, or if unknown.
        public var width: Int?
        /// The picture's height, in pixels; nil for sound, or if unknown.
        public var height: Int?

        /// Creates a reference to a picture.
        ///
        /// - Parameters:
        ///   - file: The file, relative to the container's renditions folder.
        ///   - type: The file's uniform type identifier.
        ///   - bytes: The file's size, in bytes. The default is nil.
        ///   - width: The picture's width, in pixels. The default is nil.
        ///   - height: The picture's height, in pixels. The default is nil.
        public init(
            file: String, type: String, bytes: Int? = nil, width: Int? = nil, height: Int? = nil
        ) {
            self.file = file
            self.type = type
            self.bytes = bytes
            self.width = width
            self.height = height
        }
    }
}

extension DeliveryNote: CustomStringConvertible {
    /// The outcome and its reason, without the private identifier.
    public var description: String {
        reason.map { "\(outcome.rawValue): \($0)" } ?? outcome.rawValue
    }
}
