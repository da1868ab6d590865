extension DeliveryNote {
    /// The fields of a note, in the order of omission from a payload that is too small.
    ///
    /// Fields that the manifest repeats, and dispensable ones, go first.
    public enum Field: String, Sendable, CaseIterable {
        /// The inline picture.
        case inlinePicture = "inline"
        /// The ThumbHash placeholder.
        case placeholder
        /// The average colour.
        case averageColour = "colour"
        /// The notes on further attachments.
        case others
        /// The rendition's size in bytes.
        case bytes
        /// The rendition's width and height.
        case size
        /// The rendition's file and type.
        case rendition
        /// The content-size ratio.
        case contentSizeRatio = "ratio"
        /// The identifier of the manifest.
        case identifier = "id"
        /// The reason for the outcome.
        case reason
        /// The outcome and position of the attachment. Without them, the whole note is omitted.
        case outcome
    }

    static let keys: Set<String> = [
        "outcome", "index", "reason", "id", "ratio", "rendition", "type", "width", "height",
        "bytes", "others", "colour", "placeholder", "inline",
    ]

    /// Encodes a field; empty if the note lacks it or JSON cannot represent it.
    func members(of field: Field) -> [JSONMember] {
        switch field {
        case .inlinePicture: Self.member("inline", inlinePicture)
        case .placeholder: Self.member("placeholder", placeholder)
        case .averageColour: Self.member("colour", averageColour)
        case .others:
            others.isEmpty
                ? [] : [JSONMember("others", .array(others.map { .object($0.compactMembers) }))]
        case .bytes: Self.member("bytes", rendition?.bytes)
        case .size:
            Self.member("width", rendition?.width) + Self.member("height", rendition?.height)
        case .rendition:
            Self.member("rendition", rendition?.file) + Self.member("type", rendition?.type)
        case .contentSizeRatio: ratioMember
        case .identifier: Self.member("id", identifier)
        case .reason: Self.member("reason", reason)
        case .outcome:
            Self.member("outcome", outcome.rawValue) + Self.member("index", index > 0 ? index : nil)
        }
    }

    /// The members in a list of several notes.
    private var compactMembers: [JSONMember] {
        [.outcome, .reason, .identifier, .rendition, .size, .bytes].flatMap(members(of:))
    }

    private static func member(_ key: String, _ text: String?) -> [JSONMember] {
        text.map { [JSONMember(key, .string($0))] } ?? []
    }

    private static func member(_ key: String, _ number: Int?) -> [JSONMember] {
        number.map { [JSONMember(key, .number(JSONNumber($0)))] } ?? []
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
    /// Providers deliver the data of a request in objects of their own, such as `custom.a` (OneSignal)
    /// and `body` (Expo), and some of them as JSON text. A note is found there too.
    ///
    /// - Parameters:
    ///   - userInfo: The top-level keys of the payload. The result is nil without a note.
    ///   - path: The path of the note. The default is `thimble`.
    public init?(userInfo: [JSONMember], at path: JSONPath = APNsPayload.notePath) {
        for place in Self.places(of: path) {
            if let note = Self.object(at: place, in: userInfo).flatMap({ DeliveryNote($0) }) {
                self = note
                return
            }
        }
        return nil
    }

    /// The paths in `userInfo` of a note that is written at `path`, of all providers.
    package static func places(of path: JSONPath) -> [JSONPath] {
        [path] + RequestEnvelope.deliveredPaths.map { $0.appending(path) }
    }

    private static func object(at path: JSONPath, in userInfo: [JSONMember]) -> [JSONMember]? {
        var object = userInfo
        for step in path.steps {
            guard case .key(let key) = step, let members = object.value(of: key)?.objectOrText
            else { return nil }
            object = members
        }
        return object
    }

    private init?(_ note: [JSONMember]) {
        guard let outcome = note.value(of: "outcome")?.string else { return nil }
        let number = { (key: String) in note.value(of: key)?.number?.integer }
        let rendition = note.value(of: "rendition")?.string.flatMap { file in
            note.value(of: "type")?.string.map {
                Rendition(
                    file: file, type: $0, bytes: number("bytes"), width: number("width"),
                    height: number("height"))
            }
        }
        self.init(
            outcome: Kind(rawValue: outcome), index: number("index") ?? 0,
            reason: note.value(of: "reason")?.string, identifier: note.value(of: "id")?.string,
            contentSizeRatio: note.value(of: "ratio")?.number?.double,
            placeholder: note.value(of: "placeholder")?.string,
            averageColour: note.value(of: "colour")?.string, rendition: rendition,
            inlinePicture: note.value(of: "inline")?.string,
            others: (note.value(of: "others")?.elements ?? []).compactMap { other in
                other.members.flatMap { DeliveryNote($0) }
            })
    }
}

extension JSONValue {
    /// The members of an object, or of the object that a string contains.
    fileprivate var objectOrText: [JSONMember]? {
        guard let text = string else { return members }
        guard text.utf8.first == UInt8(ascii: "{"), text.utf8.count <= JSONDocument.maximumText
        else { return nil }
        return (try? JSONDocument(parsing: text.utf8))?.root.members
    }
}
