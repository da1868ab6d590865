extension APNsPayload {
    /// Returns the attachments in the payload, in order.
    ///
    /// An attachment without an identifier gets its index, from `0`. Empty strings and values of
    /// another shape are ignored, and so is white space around a URL. In a provider's request
    /// (``envelope``) all keys are searched, those that an Apple device shows first; keys with the
    /// same location make one attachment.
    ///
    /// - Parameter style: The keys to search. The default is all styles, in the order of
    ///   ``PayloadStyle/presets``.
    /// - Returns: The attachments under the first key that has any.
    public func attachments(_ style: PayloadStyle = .auto) -> [AttachmentReference] {
        if let envelope { return envelope.attachments(style, in: document) }
        for key in style.mediaKeys {
            let found = document.attachments(under: key)
            if !found.isEmpty { return found }
        }
        return []
    }
}

extension JSONDocument {
    /// The attachments under one key.
    func attachments(under key: MediaKey) -> [AttachmentReference] {
        guard key.shape == .numbered else { return attachments(at: key.path, of: key) }
        return key.paths.flatMap { attachments(at: $0, of: key) }.enumerated().map {
            var reference = $1
            reference.identifier = String($0)
            return reference
        }
    }

    private func attachments(at path: JSONPath, of key: MediaKey) -> [AttachmentReference] {
        guard let value = value(at: path) else { return [] }
        let type = key.type.flatMap { path in
            self.value(at: path)?.string.map { (text: $0, path: path) }
        }
        return MediaReader(type: type).references(in: value, at: path, shape: key.shape)
    }
}

private struct MediaReader {
    let type: (text: String, path: JSONPath)?

    func references(
        in value: JSONValue, at path: JSONPath, shape: MediaKey.Shape
    ) -> [AttachmentReference] {
        switch (value, shape) {
        case (.string, .locations), (.string, .any), (.string, .numbered):
            return [reference(value, at: path, number: 0)].compactMap(\.self)
        case (.array(let elements), .locations), (.array(let elements), .any):
            return elements.enumerated().compactMap { number, element in
                reference(element, at: path.appending(.index(number)), number: number)
            }
        case (.object(let members), .any) where value["url"] == nil:
            return byIdentifier(members, at: path)
        case (.object, .any): return [reference(value, at: path, number: 0)].compactMap(\.self)
        case (.object(let members), .locationsByIdentifier): return byIdentifier(members, at: path)
        default: return []
        }
    }

    /// Reads a location, or an object with a `url` and optional `id`, `url_id` and `type`.
    private func reference(
        _ value: JSONValue, at path: JSONPath, number: Int
    ) -> AttachmentReference? {
        let isObject = value.string == nil
        guard let text = isObject ? value["url"]?.string : value.string,
            let location = Self.location(text)
        else { return nil }
        let identifier = [value["id"], value["url_id"]]
            .lazy.compactMap { $0?.string }.first { !$0.isEmpty }
        let own = value["type"]?.string.map { (text: $0, path: path.appending(.key("type"))) }
        let hint = own ?? type
        return AttachmentReference(
            identifier: identifier ?? String(number), location: location, typeHint: hint?.text,
            path: isObject ? path.appending(.key("url")) : path, typeHintPath: hint?.path)
    }

    /// The location in a text; nil for an empty one.
    private static func location(_ text: String) -> String? {
        text.isEmpty ? nil : AttachmentReference.location(in: text)
    }

    private func byIdentifier(_ members: [JSONMember], at path: JSONPath) -> [AttachmentReference] {
        // The last of duplicate keys counts.
        var numbers: [[UInt8]: Int] = [:]
        for (number, member) in members.enumerated() { numbers[Array(member.key.utf8)] = number }
        return members.enumerated().compactMap { number, member in
            guard numbers[Array(member.key.utf8)] == number,
                let location = member.value.string.flatMap(Self.location)
            else { return nil }
            return AttachmentReference(
                identifier: member.key.isEmpty ? String(number) : member.key, location: location,
                typeHint: type?.text, path: path.appending(.key(member.key)),
                typeHintPath: type?.path)
        }
    }
}
