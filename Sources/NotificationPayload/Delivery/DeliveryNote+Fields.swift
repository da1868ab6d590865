extension DeliveryNote {
    /// The parts of a note, in the order in which they are left out where a payload has no room.
    ///
    /// What the manifest in the container says too, and what can be done without, goes first.
    public enum Field: String, Sendable, CaseIterable {
        /// The blurred likeness.
        case placeholder
        /// The average colour.
        case averageColour = "colour"
        /// The rendition's file and type.
        case rendition
        /// The content-size ratio.
        case contentSizeRatio = "ratio"
        /// The notification's identifier.
        case identifier = "id"
        /// Why it came so.
        case reason
        /// What came of the attachment; it goes last, and the whole note with it.
        case outcome
    }

    /// The keys of a note in the object `thimble`.
    static let keys: Set<String> = [
        "outcome", "reason", "id", "ratio", "rendition", "type", "colour", "placeholder",
    ]

    /// What a field is written as; nothing where the note does not have it, or where JSON or its
    /// reader could not take it.
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
        // Four decimals are a hundredth of a point on the widest screen, of 440 points.
        guard let ratio = contentSizeRatio, ratio > 0,
            let number = JSONNumber((ratio * 10_000).rounded() / 10_000), number.double != 0
        else { return [] }
        return [JSONMember("ratio", .number(number))]
    }

    /// Reads the note that a stage left in a payload.
    ///
    /// - Parameter userInfo: The top-level keys of the payload; nil comes of keys without a note.
    public init?(userInfo: [JSONMember]) {
        guard let note = userInfo.value(of: "thimble"), let outcome = note["outcome"]?.string else {
            return nil
        }
        let rendition = note["rendition"]?.string.flatMap { file in
            note["type"]?.string.map { Rendition(file: file, type: $0) }
        }
        self.init(
            outcome: Outcome(rawValue: outcome), reason: note["reason"]?.string,
            identifier: note["id"]?.string, contentSizeRatio: note["ratio"]?.number?.double,
            placeholder: note["placeholder"]?.string, averageColour: note["colour"]?.string,
            rendition: rendition)
    }
}
