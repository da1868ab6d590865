extension APNsPayload {
    /// Returns the attachments in the payload, in order.
    ///
    /// An attachment without an identifier gets its index, from `0`. Empty strings and values of
    /// another shape are ignored.
    ///
    /// - Parameter style: The keys to search. The default is all styles, in the order of
    ///   ``PayloadStyle/presets``.
    /// - Returns: The attachments under the first key that has any.
    public func attachments(_ style: PayloadStyle = .auto) -> [AttachmentReference] {
        for key in style.mediaKeys {
            guard let value = document.value(at: key.path) else { continue }
            let type = key.type.flatMap { path in
                document.value(at: path)?.string.map { (text: $0, path: path) }
            }
            let found = MediaReader(type: type)
                .references(in: value, at: key.path, shape: key.shape)
            if !found.isEmpty { return found }
        }
        return []
    }
}

private struct MediaReader {
    let type: (text: String, path: JSONPath)?

    func references(
        in value: JSONValue, at path: JSONPath, shape: MediaKey.Shape
    ) -> [AttachmentReference] {
        switch (value, shape) {
        case (.string, .locations), (.string, .any):
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
        guard let location = isObject ? value["url"]?.string : value.string, !location.isEmpty
        else { return nil }
        let identifier = [value["id"], value["url_id"]]
            .lazy.compactMap { $0?.string }.first { !$0.isEmpty }
        let own = value["type"]?.string.map { (text: $0, path: path.appending(.key("type"))) }
        let hint = own ?? type
        return AttachmentReference(
            identifier: identifier ?? String(number), location: location, typeHint: hint?.text,
            path: isObject ? path.appending(.key("url")) : path, typeHintPath: hint?.path)
    }

    private func byIdentifier(_ members: [JSONMember], at path: JSONPath) -> [AttachmentReference] {
        // The last of duplicate keys counts.
        var numbers: [[UInt8]: Int] = [:]
        for (number, member) in members.enumerated() { numbers[Array(member.key.utf8)] = number }
        return members.enumerated().compactMap { number, member in
            guard numbers[Array(member.key.utf8)] == number, let location = member.value.string,
                !location.isEmpty
            else { return nil }
            return AttachmentReference(
                identifier: member.key.isEmpty ? String(number) : member.key, location: location,
                typeHint: type?.text, path: path.appending(.key(member.key)),
                typeHintPath: type?.path)
        }
    }
}
