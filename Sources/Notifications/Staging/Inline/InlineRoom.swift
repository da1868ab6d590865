import NotificationPayload

/// The room for a picture inside a payload, beside a note.
///
/// Base64url needs no escapes in JSON, nor in JSON text inside of JSON, so each character takes the same
/// number of bytes: one for each place of the note in the payload.
struct InlineRoom {
    private let payload: APNsPayload
    private let path: JSONPath
    private let limit: Int

    init(in payload: APNsPayload, at path: JSONPath, limit: Int) {
        (self.payload, self.path, self.limit) = (payload, path, limit)
    }

    /// Most bytes of a picture, before base64url; 0 if not even the note has room, or no place.
    func bytes(beside note: DeliveryNote) -> Int {
        guard let short = size(of: note, characters: 4), let long = size(of: note, characters: 8)
        else { return 0 }
        let places = (long - short) / 4
        guard places > 0, short <= limit else { return 0 }
        return InlinePicture.bytes(inCharacters: 4 + (limit - short) / places)
    }

    /// The payload with the note and the picture; nil without room, or if another field had to go.
    func adding(_ picture: InlinePicture, to note: DeliveryNote) -> APNsPayload? {
        var note = note
        note.inlinePicture = picture.text
        let edit = payload.adding(note, at: path, limit: limit, requiring: Self.allFields)
        return edit.outcome == .complete ? edit.payload : nil
    }

    /// Size of the payload with the note and a text of so many characters; nil without a place.
    private func size(of note: DeliveryNote, characters: Int) -> Int? {
        var note = note
        note.inlinePicture = String(repeating: "A", count: characters)
        let edit = payload.adding(note, at: path, limit: .max, requiring: Self.allFields)
        return edit.outcome == .complete ? edit.payload.size : nil
    }

    private static let allFields = Set(DeliveryNote.Field.allCases)
}
