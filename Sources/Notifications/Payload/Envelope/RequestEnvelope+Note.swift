/// The delivery note in a provider's request.
extension RequestEnvelope {
    /// Returns a request with a note in each APNs payload that it has, or else in the object that the
    /// provider delivers; nil if another value is in its place.
    ///
    /// A request without such a place is returned unchanged.
    func writing(
        _ members: [JSONMember], at path: JSONPath, to document: JSONDocument
    ) throws(PayloadError) -> JSONDocument? {
        let bodies = bodies(in: document)
        guard bodies.isEmpty else {
            var document = document
            for body in bodies {
                guard let place = NotePlace(path, in: body.document) else { return nil }
                document = try document.replacing(
                    body.path, with: place.writing(members, to: body.document))
            }
            return document
        }
        guard let note, note.parent.map({ document.document(at: $0) != nil }) ?? true else {
            return document
        }
        guard !note.isText else { return try text(members, at: path, in: note, to: document) }
        guard let place = NotePlace(note.object.appending(path), in: document) else { return nil }
        return try place.writing(members, to: document)
    }

    /// Writes a note as JSON text.
    private func text(
        _ members: [JSONMember], at path: JSONPath, in note: Note, to document: JSONDocument
    ) throws(PayloadError) -> JSONDocument? {
        let former = document.value(at: note.object.appending(path))
        let parent = note.object.appending(JSONPath(Array(path.steps.dropLast())))
        guard former == nil || former?.string != nil, case .key(let key)? = path.steps.last,
            let place = NotePlace(parent, in: document)
        else { return nil }
        let text = String(decoding: try JSONValue.object(members).encoded(), as: UTF8.self)
        return try place.setting(key, to: .string(text), in: document)
    }

    /// True if a note can be written into a request.
    func hasNote(_ document: JSONDocument) -> Bool {
        guard bodies(in: document).isEmpty else { return true }
        guard let note else { return false }
        return note.parent.map { document.document(at: $0) != nil } ?? true
    }

    /// The note in a request; nil without one.
    func note(of document: JSONDocument, at path: JSONPath) -> DeliveryNote? {
        for body in bodies(in: document) {
            if let note = DeliveryNote(userInfo: body.document.root.members ?? [], at: path) {
                return note
            }
        }
        let members = note.flatMap { document.value(at: $0.object)?.members }
        return members.flatMap { DeliveryNote(userInfo: $0, at: path) }
    }

    /// The objects of a notification's `userInfo` in which providers deliver a note.
    static let deliveredPaths = all.compactMap(\.note?.delivered).filter { !$0.steps.isEmpty }
}
