extension JSONDocument {
    /// Returns the document with another value at a path; all other bytes stay the same.
    ///
    /// - Parameters:
    ///   - path: The path of an existing value.
    ///   - value: The new value.
    /// - Returns: The edited document.
    /// - Throws: `PayloadError` if the document has no value there, or would exceed its limits.
    public func replacing(_ path: JSONPath, with value: JSONValue) throws(PayloadError)
        -> JSONDocument
    {
        switch location(path) {
        case .node(let node):
            return try replacing(node, with: try value.encoded(maximumDepth: limits.depth))
        case .text(let node, let inner, let rest):
            return try replacingText(of: node, inner, with: inner.replacing(rest, with: value))
        case nil: throw Self.noValue
        }
    }

    /// Returns the document with a member of an object replaced, or appended if the key is new.
    ///
    /// - Parameters:
    ///   - key: The key. The last of duplicate keys is replaced.
    ///   - path: The path of the object. The default is the root.
    ///   - value: The new value.
    /// - Returns: The edited document.
    /// - Throws: `PayloadError` if the path has no object, or the document would exceed its limits.
    public func setting(
        _ key: String, of path: JSONPath = JSONPath([]), to value: JSONValue
    ) throws(PayloadError) -> JSONDocument {
        guard case .text(let node, let inner, let rest) = location(path) else {
            return try setting(key, of: try object(at: path), to: value)
        }
        return try replacingText(of: node, inner, with: inner.setting(key, of: rest, to: value))
    }

    /// Returns the document without a member of an object, and without its comma.
    ///
    /// - Parameters:
    ///   - key: The key. All duplicates are removed; otherwise an earlier one would take effect.
    ///   - path: The path of the object. The default is the root.
    /// - Returns: The edited document; unchanged if the object has no such member.
    /// - Throws: `PayloadError` if the path has no object.
    public func removing(
        _ key: String, of path: JSONPath = JSONPath([])
    ) throws(PayloadError) -> JSONDocument {
        if case .text(let node, let inner, let rest) = location(path) {
            return try replacingText(of: node, inner, with: inner.removing(key, of: rest))
        }
        let object = try object(at: path)
        let members = members(object) ?? []
        var bytes: [UInt8] = []
        var copied = 0
        var kept: Int?
        for (index, member) in members.enumerated() {
            guard text(member.key).utf8.elementsEqual(key.utf8) else {
                kept = index
                continue
            }
            let value = nodes[member.value].range
            // With the preceding comma or, before the first kept member, the following one.
            let range =
                if kept != nil {
                    nodes[members[index - 1].value].range.upperBound..<value.upperBound
                } else if index + 1 < members.count {
                    nodes[member.key].range
                        .lowerBound..<nodes[members[index + 1].key].range
                        .lowerBound
                } else {
                    nodes[member.key].range.lowerBound..<value.upperBound
                }
            bytes += self.bytes[copied..<range.lowerBound]
            copied = range.upperBound
        }
        guard copied > 0 else { return self }
        return try JSONDocument(parsing: bytes + self.bytes[copied...], limits: limits)
    }

    /// Same, with the node of the object.
    func setting(
        _ key: String, of object: Int, to value: JSONValue
    ) throws(PayloadError) -> JSONDocument {
        let spelling = try value.encoded(maximumDepth: limits.depth)
        if let member = member(key, of: object) {
            return try replacing(member.value, with: spelling)
        }
        var added: [UInt8] = [UInt8(ascii: "{")]
        JSONText.encode(key, into: &added)
        added.append(UInt8(ascii: ":"))
        added += spelling
        added.append(UInt8(ascii: "}"))
        return try appending(JSONDocument(parsing: added, limits: limits), to: object)
    }

    private func object(at path: JSONPath) throws(PayloadError) -> Int {
        guard let node = node(at: path) else { throw Self.noValue }
        guard bytes[Int(nodes[node].start)] == UInt8(ascii: "{") else {
            throw PayloadError(
                .wrongShape, at: Int(nodes[node].start),
                reason: "the value at the path is not an object")
        }
        return node
    }

    private static var noValue: PayloadError {
        PayloadError(.noValue, reason: "the document has no value at the path")
    }
}
