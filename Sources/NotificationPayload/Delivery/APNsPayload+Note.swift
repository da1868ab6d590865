extension APNsPayload {
    /// Delivery note in the payload; nil if absent or invalid.
    public var note: DeliveryNote? {
        document.value(at: Self.thimble).flatMap {
            DeliveryNote(userInfo: [JSONMember("thimble", $0)])
        }
    }

    /// Returns the payload with a delivery note that fits the limit.
    ///
    /// The note replaces an earlier one. Other members of the object `thimble` stay in front of it,
    /// byte for byte. Bytes outside that object do not change.
    ///
    /// - Parameters:
    ///   - note: The note to write.
    ///   - limit: The maximum payload size, in bytes. The default is ``maximumSize``.
    /// - Returns: The payload and the note's omitted fields.
    public func adding(_ note: DeliveryNote, limit: Int = APNsPayload.maximumSize) -> PayloadEdit {
        guard size <= limit else { return unchanged(.alreadyTooLarge, limit) }
        guard let kept = keptMembers() else { return unchanged(.occupied, limit) }
        let present = DeliveryNote.Field.allCases.filter { !note.members(of: $0).isEmpty }
        for count in present.indices {
            // Readers need the outcome first.
            let members = present[count...].reversed().flatMap(note.members(of:))
            guard let payload = try? writing(members, after: kept) else { break }
            guard payload.size > limit else {
                return PayloadEdit(
                    payload: payload, outcome: count == 0 ? .complete : .reduced,
                    omitted: Array(present[..<count]), limit: limit)
            }
        }
        return unchanged(.noRoom, limit, omitted: present)
    }

    /// Returns the payload with a new location for an attachment, and a type hint that matches it.
    ///
    /// A type hint that contradicts the new file is replaced in the same notation: a file extension by
    /// a file extension, a media type by a media type. Hints in an unknown notation stay.
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
        guard size <= limit else { return unchanged(.alreadyTooLarge, limit) }
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
            let payload = try? APNsPayload(document), payload.size <= limit
        else { return unchanged(.noRoom, limit) }
        return PayloadEdit(payload: payload, outcome: .complete, omitted: [], limit: limit)
    }

    private func unchanged(
        _ outcome: PayloadEdit.Extent, _ limit: Int, omitted: [DeliveryNote.Field] = []
    ) -> PayloadEdit {
        PayloadEdit(payload: self, outcome: outcome, omitted: omitted, limit: limit)
    }

    /// Members of `thimble` that are not part of a note, byte for byte; nil if `thimble` is not an
    /// object.
    private func keptMembers() -> [ArraySlice<UInt8>]? {
        guard let node = document.node(at: Self.thimble) else { return [] }
        return document.members(node)?.compactMap { member in
            guard !DeliveryNote.keys.contains(document.text(member.key)) else { return nil }
            let end = document.nodes[member.value].range.upperBound
            return bytes[document.nodes[member.key].range.lowerBound..<end]
        }
    }

    private func writing(
        _ members: [JSONMember], after kept: [ArraySlice<UInt8>]
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
