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
        if let envelope { return envelope.note(of: document, at: path) }
        return document.root.members.flatMap { DeliveryNote(userInfo: $0, at: path) }
    }

    /// Returns the payload with a delivery note that fits the limit.
    ///
    /// In a provider's request the note is written where the device reads it: into its APNs payloads,
    /// or else into the object that the provider delivers. A request without one is unchanged, and the
    /// change is complete.
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
    ///   - required: Fields without which the note is not written, beside the outcome. The default is
    ///     none.
    /// - Returns: The payload and the note's omitted fields.
    public func adding(
        _ note: DeliveryNote, at path: JSONPath = APNsPayload.notePath,
        limit: Int = APNsPayload.maximumSize, requiring required: Set<DeliveryNote.Field> = []
    ) -> PayloadEdit {
        guard isFree(path) else { return unchanged(.occupied, limit) }
        let present = DeliveryNote.Field.allCases.filter { !note.members(of: $0).isEmpty }
        let optional = present.filter { $0 != .outcome && !required.contains($0) }
        // A payload over the limit is not changed, but the bytes missing are those for the note too.
        let counts = size > limit ? optional.count...optional.count : 0...optional.count
        var missing = 0
        for count in counts {
            let omitted = optional[..<count]
            // Readers need the outcome first.
            let members = present.filter { !omitted.contains($0) }.reversed()
                .flatMap(note.members(of:))
            guard let edited = try? writing(members, at: path),
                let payload = try? APNsPayload(edited, in: envelope)
            else { break }
            guard size > limit || payload.size > limit else {
                return PayloadEdit(
                    payload: payload, outcome: count == 0 ? .complete : .reduced,
                    omitted: Array(omitted), limit: limit)
            }
            missing = payload.size - limit
        }
        return size > limit
            ? unchanged(.alreadyTooLarge, limit, missing: missing)
            : unchanged(.noRoom, limit, omitted: present, missing: missing)
    }

    /// True if a note can be written into the payload or request at all.
    public var hasPlaceForNote: Bool { envelope?.hasNote(document) ?? true }

    /// Returns the payload without the delivery note at a path; unchanged if it has no note.
    ///
    /// Other members of the note's object stay, byte for byte.
    ///
    /// - Parameter path: The path of the note. The default is ``notePath``.
    /// - Returns: The payload without the note.
    package func removingNote(at path: JSONPath = APNsPayload.notePath) -> APNsPayload {
        guard note(at: path) != nil, isFree(path), let document = try? writing([], at: path),
            let payload = try? APNsPayload(document, in: envelope)
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
        replacing(attachment, limit: limit) { _ in Replacement(location, rendition) }
    }

    /// A new location for a key of an attachment.
    public struct Replacement: Sendable {
        /// The new location, as written to the payload.
        public let location: String
        /// The file at the new location; nil to leave type hints alone.
        public let rendition: DeliveryNote.Rendition?

        /// Creates a replacement.
        ///
        /// - Parameters:
        ///   - location: The new location, as written to the payload.
        ///   - rendition: The file at the new location. The default leaves type hints alone.
        public init(_ location: String, _ rendition: DeliveryNote.Rendition? = nil) {
            self.location = location
            self.rendition = rendition
        }
    }

    /// Returns the payload with a new location at every key of an attachment, and type hints that
    /// match it.
    ///
    /// - Parameters:
    ///   - attachment: An attachment read from this payload.
    ///   - limit: The maximum payload size, in bytes. The default is ``maximumSize``.
    ///   - choose: Chooses the new location for a display surface.
    /// - Returns: The payload; unchanged if the attachment is not from this payload.
    public func replacing(
        _ attachment: AttachmentReference, limit: Int = APNsPayload.maximumSize,
        by choose: (PictureSurface) -> Replacement
    ) -> PayloadEdit {
        let places = attachment.places
        guard !places.isEmpty, places.allSatisfy({ hasLocation(of: attachment, at: $0.path) })
        else { return unchanged(.occupied, limit) }
        var document = document
        for place in places {
            guard let edited = try? document.replacing(place, with: choose(place.surface)) else {
                return unchanged(.noRoom, limit)
            }
            document = edited
        }
        guard let payload = try? APNsPayload(document, in: envelope)
        else { return unchanged(.noRoom, limit) }
        guard payload.size <= limit else {
            return unchanged(
                size > limit ? .alreadyTooLarge : .noRoom, limit, missing: payload.size - limit)
        }
        return PayloadEdit(payload: payload, outcome: .complete, omitted: [], limit: limit)
    }

    private func hasLocation(of attachment: AttachmentReference, at path: JSONPath) -> Bool {
        guard let text = document.value(at: path)?.string else { return false }
        return AttachmentReference.location(in: text).utf8.elementsEqual(attachment.location.utf8)
    }

    /// True unless another value is in the place of a note.
    private func isFree(_ path: JSONPath) -> Bool {
        guard path.isNotePath else { return false }
        guard let envelope else { return NotePlace(path, in: document) != nil }
        let written = try? envelope.writing([], at: path, to: document)
        return written.flatMap(\.self) != nil
    }

    private func writing(
        _ members: [JSONMember], at path: JSONPath
    ) throws(PayloadError) -> JSONDocument {
        if let envelope {
            return try envelope.writing(members, at: path, to: document) ?? document
        }
        return try NotePlace(path, in: document)?.writing(members, to: document) ?? document
    }

    private func unchanged(
        _ outcome: PayloadEdit.Extent, _ limit: Int, omitted: [DeliveryNote.Field] = [],
        missing: Int = 0
    ) -> PayloadEdit {
        PayloadEdit(
            payload: self, outcome: outcome, omitted: omitted, limit: limit, missing: missing)
    }
}

extension JSONDocument {
    /// The document with a new location at a key, and a type hint that matches it.
    fileprivate func replacing(
        _ place: AttachmentReference.Copy, with replacement: APNsPayload.Replacement
    ) throws(PayloadError) -> JSONDocument {
        var document = self
        if let rendition = replacement.rendition, let hintPath = place.typeHintPath,
            let hint = value(at: hintPath)?.string,
            let corrected = TypeHint(hint)?.replacement(for: rendition),
            let edited = try? replacing(hintPath, with: .string(corrected))
        {
            document = edited
        }
        return try document.replacing(place.path, with: .string(replacement.location))
    }
}
