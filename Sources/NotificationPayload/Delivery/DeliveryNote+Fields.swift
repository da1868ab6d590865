extension DeliveryNote {
    /// The fields of a note, in the order of omission from a payload that is too small.
    ///
    /// Fields that the manifest repeats, and dispensable ones, go first.
    public enum Field: String, Sendable, CaseIterable {
        /// The ThumbHash placeholder.
        case placeholder
        /// The average colour.
        case averageColour = "colour"
        /// The rendition's file and type.
        case rendition
        /// The content-size ratio.
        case contentSizeRatio = "ratio"
        /// The notification's identifier.
        case identifier = "id"
        /// The reason for the outcome.
        case reason
        /// The outcome of the attachment. Without it, the whole note is omitted.
        case outcome
    }

    static let keys: Set<String> = [
        "outcome", "reason", "id", "ratio", "rendition", "type", "colour", "placeholder",
    ]

    /// Encodes a field; empty if the note lacks it or JSON cannot represent it.
    func members(of field: Field) -> [JSONMember] {
        switch field {
        case .placeholder: Self.member("placeholder", placeholder)
        case .averageColour: Self.member("colour", averageColour)
        case .rendition:
            Self.member("rendition", rendition?.file) + Self.member("type", rendition?.type)
        case .contentSizeRatio: ratioMember
        case .identifier: Self.member("id", identifier)
        case .reason: Self.member("reason", reason)
        case .outcome: Self.member("outcome", outcome.rawValue)
        }
    }

    private static func member(_ key: String, _ text: String?) -> [JSONMember] {
        text.map { [JSONMember(key, .string($0))] } ?? []
    }

    private var ratioMember: [JSONMember] {
        // Four decimals are within 0.05 points on the widest screen, of 440 points.
        guard let ratio = contentSizeRatio, ratio > 0,
            let number = JSONNumber((ratio * 10_000).rounded() / 10_000), number.double != 0
        else { return [] }
        return [JSONMember("ratio", .number(number))]
    }

    /// Reads the note in a payload.
    ///
    /// - Parameter userInfo: The top-level keys of the payload. The result is nil without a note.
    public init?(userInfo: [JSONMember]) {
        guard let note = userInfo.value(of: "thimble"), let outcome = note["outcome"]?.string else {
            return nil
        }
        let rendition = note["rendition"]?.string.flatMap { file in
            note["type"]?.string.map { Rendition(file: file, type: $0) }
        }
        self.init(
            outcome: Kind(rawValue: outcome), reason: note["reason"]?.string,
            identifier: note["id"]?.string, contentSizeRatio: note["ratio"]?.number?.double,
            placeholder: note["placeholder"]?.string, averageColour: note["colour"]?.string,
            rendition: rendition)
    }
}
