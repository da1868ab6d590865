/// The request that a backend sends to a push provider, with an APNs payload in it or in place of one.
///
/// One value describes everything that staging, checks and previews need: where the texts, the
/// category and the APNs payload are, which keys show a picture and where, and the place of the note.
public struct RequestEnvelope: Sendable {
    /// The name in reports, such as `fcm-v1`.
    public let name: String
    /// The provider and its interface.
    public let title: String
    /// The provider's documentation, the whole request first.
    let sources: [Source]
    /// The style of the keys that the provider's SDK reads.
    var style: PayloadStyle?
    /// Alternatives that tell the request from others; all marks of one must be present.
    let marks: [[Mark]]
    /// APNs payloads in the request: objects, or JSON text.
    ///
    /// One that encloses an earlier one does not count.
    var bodies: [JSONPath] = []
    /// Further objects whose members the provider merges into the APNs payload.
    var merged: [JSONPath] = []
    /// Titles, the first present counts.
    var titles: [JSONPath] = []
    /// Bodies of the alert; objects are texts by language.
    var texts: [JSONPath] = []
    /// References to a template that may have the texts.
    var templates: [JSONPath] = []
    /// Categories, the first present counts; empty if the request cannot set one.
    var categories: [JSONPath] = []
    var mutability = Mutability.body
    /// The keys of pictures, first the keys for Apple devices.
    let pictures: [Picture]
    /// Values that the provider copies into the APNs payload, beside the bodies.
    var counted: [JSONPath] = []
    var note: Note?

    /// A key that tells a request from others.
    struct Mark: Sendable {
        let path: JSONPath
        /// The first byte of the value; nil for any value.
        var first: UInt8?

        static func any(_ keys: String) -> Mark { Mark(path: JSONPath(dotted: keys)) }

        static func object(_ keys: String) -> Mark {
            Mark(path: JSONPath(dotted: keys), first: UInt8(ascii: "{"))
        }

        static func string(_ keys: String) -> Mark {
            Mark(path: JSONPath(dotted: keys), first: UInt8(ascii: "\""))
        }
    }

    /// The rule by which the provider sets `mutable-content`.
    enum Mutability: Sendable {
        /// As in the APNs payload of the request.
        case body
        /// As in the APNs payload, or by a flag.
        case bodyOrFlag(JSONPath)
        /// By a flag of the request.
        case flag(JSONPath)
        /// By a flag of the request, and always for a request with a value at the second path.
        case flagOrPicture(JSONPath, JSONPath)
        /// Always.
        case always
    }

    /// A page of the provider's documentation.
    package struct Source: Sendable {
        /// The title of the page.
        package let title: String
        /// The address of the page.
        package let url: String
        /// The keys that the page describes, with those inside; empty for all.
        let keys: [JSONPath]

        init(_ title: String, _ url: String, keys: String...) {
            self.init(title, url, all: keys)
        }

        init(_ title: String, _ url: String, all keys: [String]) {
            self.title = title
            self.url = url
            self.keys = keys.map(JSONPath.init(dotted:))
        }
    }

    /// A key of a picture.
    struct Picture: Sendable {
        let key: MediaKey
        let surface: PictureSurface
        /// False for an icon, which only follows the notification's picture.
        var isOwn = true
        /// True if another key takes precedence on Apple devices.
        var isFallback = false
    }

    /// The place of the delivery note.
    struct Note: Sendable {
        /// The object that is delivered with the notification.
        let object: JSONPath
        /// The object that must exist; nil to create all.
        var parent: JSONPath?
        /// True where the provider delivers strings only: the note is JSON text.
        var isText = false
        /// The path of the object in the notification's `userInfo`.
        var delivered = JSONPath([])
    }
}

extension RequestEnvelope: Hashable {
    /// Compares the names.
    public static func == (left: RequestEnvelope, right: RequestEnvelope) -> Bool {
        left.name == right.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension RequestEnvelope: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

extension RequestEnvelope {
    /// The envelope of a document; nil for an APNs payload, and for an unknown request.
    static func around(_ document: JSONDocument) -> RequestEnvelope? {
        all.first { envelope in
            envelope.marks.contains { $0.allSatisfy { $0.isPresent(in: document) } }
        }
    }

    /// The APNs payloads in a request, and their paths.
    func bodies(in document: JSONDocument) -> [(path: JSONPath, document: JSONDocument)] {
        var found: [(path: JSONPath, document: JSONDocument)] = []
        for path in bodies
        where !found.contains(where: { $0.path.steps.starts(with: path.steps) }) {
            if let body = document.document(at: path) { found.append((path, body)) }
        }
        return found
    }

    /// The size of the APNs payload that the provider sends, in bytes.
    ///
    /// It is the largest of the bodies, without white space unless they are text, and the values that
    /// the provider copies into it. Keys of the provider's own are not part of it.
    func size(of document: JSONDocument) -> Int {
        var size = 0
        for (path, body) in bodies(in: document) {
            let isText = document.value(at: path)?.string != nil
            let bytes = isText ? body.bytes : (try? body.root.encoded()) ?? body.bytes
            size = max(size, bytes.count)
        }
        for path in counted {
            guard let value = document.value(at: path), case .key(let key)? = path.steps.last,
                let bytes = try? value.encoded()
            else { continue }
            // Quotes, colon and comma.
            size += bytes.count + key.utf8.count + 4
        }
        return size
    }
}

extension RequestEnvelope.Mark {
    fileprivate func isPresent(in document: JSONDocument) -> Bool {
        let byte = document.firstByte(at: path)
        return byte != nil && (first == nil || first == byte)
    }
}

extension JSONDocument {
    /// The first byte of the value at a path, which tells its kind; nil without a value.
    fileprivate func firstByte(at path: JSONPath) -> UInt8? {
        switch location(path) {
        case .node(let node): bytes[Int(nodes[node].start)]
        case .text(_, let inner, let rest): inner.firstByte(at: rest)
        case nil: nil
        }
    }
}

extension JSONPath {
    /// Creates a path through objects from keys that are joined by dots.
    init(dotted keys: String) {
        self.init(keys.split(separator: ".").map { Step.key(String($0)) })
    }

    /// Returns the path with the steps of another one.
    func appending(_ other: JSONPath) -> JSONPath { JSONPath(steps + other.steps) }
}
