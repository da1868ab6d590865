extension APNsPayload {
    /// The note that a stage left in the payload; nil when there is none.
    public var note: DeliveryNote? {
        document.value(at: Self.thimble).flatMap {
            DeliveryNote(userInfo: [JSONMember("thimble", $0)])
        }
    }

    /// The payload with a note, as far as there is room.
    ///
    /// The note replaces an earlier one. What else stands in the object `thimble` stays in front of
    /// it as it is spelled, and nothing outside that object is touched.
    ///
    /// - Parameters:
    ///   - note: What the stage learnt.
    ///   - limit: The most bytes of the payload. The default is ``maximumSize``.
    /// - Returns: The payload, and what was left out of the note.
    public func adding(
        _ note: DeliveryNote, limit: Int = APNsPayload.maximumSize
    ) -> PayloadEdit {
        guard size <= limit else { return unchanged(.alreadyTooLarge, limit) }
        guard let kept = keptMembers() else { return unchanged(.occupied, limit) }
        let present = DeliveryNote.Field.allCases.filter { !note.members(of: $0).isEmpty }
        for count in present.indices {
            // The outcome, which a reader asks for first, is written first.
            let members = present[count...].reversed().flatMap(note.members(of:))
            guard let payload = try? writing(members, behind: kept) else { break }
            guard payload.size > limit else {
                return PayloadEdit(
                    payload: payload, outcome: count == 0 ? .complete : .reduced,
                    omitted: Array(present[..<count]), limit: limit)
            }
        }
        return unchanged(.noRoom, limit, omitted: present)
    }

    /// The payload with another location for an attachment, and a type hint that is right there.
    ///
    /// A hint beside the location that names another type is replaced in its own words: a file
    /// extension by a file extension, a media type by a media type. Words that are none of these stay.
    ///
    /// - Parameters:
    ///   - attachment: An attachment that this payload named.
    ///   - location: The new location, as it is to be written.
    ///   - rendition: The file at the new location. The default leaves the type hint alone.
    ///   - limit: The most bytes of the payload. The default is ``maximumSize``.
    /// - Returns: The payload; unchanged where the attachment does not come from it.
    public func replacing(
        _ attachment: AttachmentReference, with location: String,
        rendition: DeliveryNote.Rendition? = nil, limit: Int = APNsPayload.maximumSize
    ) -> PayloadEdit {
        guard size <= limit else { return unchanged(.alreadyTooLarge, limit) }
        guard let path = attachment.path,
            document.value(at: path)?.string?.utf8.elementsEqual(attachment.location.utf8) == true
        else { return unchanged(.occupied, limit) }
        var hinted = document
        if let rendition, let place = attachment.typeHintPath,
            let hint = document.value(at: place)?.string,
            let right = TypeHint(hint)?.replacement(for: rendition),
            let edited = try? document.replacing(place, with: .string(right))
        {
            hinted = edited
        }
        guard
            let document = try? hinted.replacing(path, with: .string(location)),
            let payload = try? APNsPayload(document), payload.size <= limit
        else { return unchanged(.noRoom, limit) }
        return PayloadEdit(payload: payload, outcome: .complete, omitted: [], limit: limit)
    }

    private func unchanged(
        _ outcome: PayloadEdit.Outcome, _ limit: Int, omitted: [DeliveryNote.Field] = []
    ) -> PayloadEdit {
        PayloadEdit(payload: self, outcome: outcome, omitted: omitted, limit: limit)
    }

    /// The members of the object `thimble` that are not a note's, as they are spelled; nil when
    /// there is something else than an object.
    private func keptMembers() -> [ArraySlice<UInt8>]? {
        guard let node = document.node(at: Self.thimble) else { return [] }
        return document.members(node)?.compactMap { member in
            guard !DeliveryNote.keys.contains(document.text(member.key)) else { return nil }
            let end = document.nodes[member.value].range.upperBound
            return bytes[document.nodes[member.key].range.lowerBound..<end]
        }
    }

    private func writing(
        _ members: [JSONMember], behind kept: [ArraySlice<UInt8>]
    ) throws(PayloadError) -> APNsPayload {
        let note = try JSONValue.object(members).encoded()
        guard let node = document.node(at: Self.thimble) else {
            return try APNsPayload(document.setting("thimble", to: .object(members)))
        }
        var object: [UInt8] = [UInt8(ascii: "{")]
        for member in kept { object += member + [UInt8(ascii: ",")] }
        object += note.dropFirst()
        return try APNsPayload(document.splicing(document.nodes[node].range, object))
    }

    private static let thimble = JSONPath(keys: "thimble")
}
