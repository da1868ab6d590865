extension APNsPayload {
    /// The default path of a delivery note: `thimble`.
    public static let notePath = JSONPath(keys: "thimble")

    /// Delivery note at ``notePath``; nil if absent or invalid.
    public var note: DeliveryNote? { note(at: Self.notePath) }

    /// Returns a delivery note in the payload.
    ///
    /// - Parameter path: The path of the note.
    /// - Returns: The note; nil if absent or invalid.
    public func note(at path: JSONPath) -> DeliveryNote? {
        document.root.members.flatMap { DeliveryNote(userInfo: $0, at: path) }
    }

    /// Returns the payload with a delivery note that fits the limit.
    ///
    /// The note replaces an earlier one. Other members of its object stay in front of it, byte for
    /// byte. Missing objects on the path are created at the end of their parents. Other bytes do not
    /// change.
    ///
    /// - Parameters:
    ///   - note: The note to write.
    ///   - path: The path of the note, which consists of keys and does not begin with `aps`. The
    ///     default is ``notePath``.
    ///   - limit: The maximum payload size, in bytes. The default is ``maximumSize``.
    /// - Returns: The payload and the note's omitted fields.
    public func adding(
        _ note: DeliveryNote, at path: JSONPath = APNsPayload.notePath,
        limit: Int = APNsPayload.maximumSize
    ) -> PayloadEdit {
        guard size <= limit else {
            return unchanged(.alreadyTooLarge, limit, missing: size - limit)
        }
        guard let place = NotePlace(path, in: document) else { return unchanged(.occupied, limit) }
        let present = DeliveryNote.Field.allCases.filter { !note.members(of: $0).isEmpty }
        var missing = 0
        for count in present.indices {
            // Readers need the outcome first.
            let members = present[count...].reversed().flatMap(note.members(of:))
            guard let edited = try? place.writing(members, to: document),
                let payload = try? APNsPayload(edited)
            else { break }
            guard payload.size > limit else {
                return PayloadEdit(
                    payload: payload, outcome: count == 0 ? .complete : .reduced,
                    omitted: Array(present[..<count]), limit: limit)
            }
            missing = payload.size - limit
        }
        return unchanged(.noRoom, limit, omitted: present, missing: missing)
    }

    /// Returns the payload without the delivery note at a path; the payload itself if there is none.
    ///
    /// Other members of the note's object stay, byte for byte.
    ///
    /// - Parameter path: The path of the note. The default is ``notePath``.
    /// - Returns: The payload without the note.
    package func removingNote(at path: JSONPath = APNsPayload.notePath) -> APNsPayload {
        guard note(at: path) != nil, let place = NotePlace(path, in: document),
            let document = try? place.writing([], to: document),
            let payload = try? APNsPayload(document)
        else { return self }
        return payload
    }

    /// Returns the payload with a new location for an attachment, and a type hint that matches it.
    ///
    /// A type hint that contradicts the new file is replaced in the same notation: a file extension by
    /// a file extension, a media type by a media type. Hints in an unknown notation stay. A payload over
    /// the limit is changed if the new location brings it within the limit.
    ///
    /// - Parameters:
    ///   - attachment: An attachment read from this payload.
    ///   - location: The new location, as written to the payload.
    ///   - rendition: The file at the new location. The default leaves the type hint alone.
    ///   - limit: The maximum payload size, in bytes. The default is ``maximumSize``.
    /// - Returns: The payload; unchanged if the attachment is not from this payload.
    public func replacing(
        _ attachment: AttachmentReference, with location: String,
        rendition: DeliveryNote.Rendition? = nil, limit: Int = APNsPayload.maximumSize
    ) -> PayloadEdit {
        guard let path = attachment.path,
            document.value(at: path)?.string?.utf8.elementsEqual(attachment.location.utf8) == true
        else { return unchanged(.occupied, limit) }
        var hinted = document
        if let rendition, let hintPath = attachment.typeHintPath,
            let hint = document.value(at: hintPath)?.string,
            let corrected = TypeHint(hint)?.replacement(for: rendition),
            let edited = try? document.replacing(hintPath, with: .string(corrected))
        {
            hinted = edited
        }
        guard let document = try? hinted.replacing(path, with: .string(location)),
            let payload = try? APNsPayload(document)
        else { return unchanged(.noRoom, limit) }
        guard payload.size <= limit else {
            return unchanged(
                size > limit ? .alreadyTooLarge : .noRoom, limit, missing: payload.size - limit)
        }
        return PayloadEdit(payload: payload, outcome: .complete, omitted: [], limit: limit)
    }

    private func unchanged(
        _ outcome: PayloadEdit.Extent, _ limit: Int, omitted: [DeliveryNote.Field] = [],
        missing: Int = 0
    ) -> PayloadEdit {
        PayloadEdit(
            payload: self, outcome: outcome, omitted: omitted, limit: limit, missing: missing)
    }
}
