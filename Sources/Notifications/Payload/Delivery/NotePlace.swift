/// The place of a delivery note in a payload.
struct NotePlace {
    /// The last existing object on the path.
    private let object: Int
    /// The keys of the objects to create in it; empty if the note's object exists.
    private let missing: [String]

    /// Finds the place; nil if a value on the path is not an object.
    init?(_ path: JSONPath, in document: JSONDocument) {
        guard let keys = path.noteKeys else { return nil }
        var object = 0
        for (depth, key) in keys.enumerated() {
            guard let member = document.member(key, of: object) else {
                self.object = object
                missing = Array(keys[depth...])
                return
            }
            guard document.members(member.value) != nil else { return nil }
            object = member.value
        }
        self.object = object
        missing = []
    }

    func writing(
        _ members: [JSONMember], to document: JSONDocument
    ) throws(PayloadError) -> JSONDocument {
        guard let key = missing.first else {
            return try document.replacing(object, with: replacement(for: members, in: document))
        }
        let value = missing.dropFirst().reversed().reduce(JSONValue.object(members)) {
            .object([JSONMember($1, $0)])
        }
        return try document.setting(key, of: object, to: value)
    }

    /// Sets one member of the place's object, which is created if missing.
    func setting(
        _ key: String, to value: JSONValue, in document: JSONDocument
    ) throws(PayloadError) -> JSONDocument {
        guard let first = missing.first else {
            return try document.setting(key, of: object, to: value)
        }
        let inner = missing.dropFirst().reversed().reduce(
            JSONValue.object([JSONMember(key, value)])
        ) { .object([JSONMember($1, $0)]) }
        return try document.setting(first, of: object, to: inner)
    }

    /// The object with its members that are not part of a note, byte for byte, before the note.
    private func replacement(
        for note: [JSONMember], in document: JSONDocument
    ) throws(PayloadError) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        for member in document.members(object) ?? []
        where !DeliveryNote.keys.contains(document.text(member.key)) {
            let start = document.nodes[member.key].range.lowerBound
            bytes += document.bytes[start..<document.nodes[member.value].range.upperBound]
            bytes.append(UInt8(ascii: ","))
        }
        if note.isEmpty, bytes.last == UInt8(ascii: ",") { bytes.removeLast() }
        return bytes + (try JSONValue.object(note).encoded().dropFirst())
    }
}

extension JSONPath {
    /// True if a delivery note may be written at the path: keys only, outside `aps`.
    public var isNotePath: Bool { noteKeys != nil }

    fileprivate var noteKeys: [String]? {
        var keys: [String] = []
        for step in steps {
            guard case .key(let key) = step else { return nil }
            keys.append(key)
        }
        return keys.isEmpty || keys.first == "aps" ? nil : keys
    }
}
