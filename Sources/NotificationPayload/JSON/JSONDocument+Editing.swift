extension JSONDocument {
    /// The document with another value at a path, and every other byte as it is.
    ///
    /// - Parameters:
    ///   - path: The way from the root to a value that is there.
    ///   - value: The new value.
    /// - Returns: The edited document.
    /// - Throws: `PayloadError` when the document has no value there, or would cross its limits.
    public func replacing(_ path: JSONPath, with value: JSONValue) throws(PayloadError)
        -> JSONDocument
    {
        guard let node = node(at: path) else { throw Self.noValue }
        return try splicing(nodes[node].range, try value.encoded(maximumDepth: limits.depth))
    }

    /// The document with a member of an object set: replaced where it is, else added behind the
    /// last one.
    ///
    /// - Parameters:
    ///   - key: The key. Where it comes more than once, the last is replaced.
    ///   - path: The way from the root to the object. The default is the root itself.
    ///   - value: The new value.
    /// - Returns: The edited document.
    /// - Throws: `PayloadError` when there is no object, or the document would cross its limits.
    public func setting(
        _ key: String, of path: JSONPath = JSONPath([]), to value: JSONValue
    ) throws(PayloadError) -> JSONDocument {
        let object = try object(at: path)
        let spelling = try value.encoded(maximumDepth: limits.depth)
        if let member = member(key, of: object) {
            return try splicing(nodes[member.value].range, spelling)
        }
        var added: [UInt8] = []
        JSONText.encode(key, into: &added)
        added.append(UInt8(ascii: ":"))
        added += spelling
        guard let last = members(object)?.last else {
            let place = nodes[object].range.lowerBound + 1
            return try splicing(place..<place, added)
        }
        let place = nodes[last.value].range.upperBound
        return try splicing(place..<place, [UInt8(ascii: ",")] + added)
    }

    /// The document without a member of an object, with its comma.
    ///
    /// - Parameters:
    ///   - key: The key. Every member that has it is removed: with the last one alone gone, the one
    ///     before it would come to light.
    ///   - path: The way from the root to the object. The default is the root itself.
    /// - Returns: The edited document; the same when the object has no such member.
    /// - Throws: `PayloadError` when there is no object at the path.
    public func removing(
        _ key: String, of path: JSONPath = JSONPath([])
    ) throws(PayloadError) -> JSONDocument {
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
            // With the comma before it, or, while nothing was kept, with the one behind it.
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

    /// The document with other bytes in a range, read again.
    func splicing(_ range: Range<Int>, _ replacement: [UInt8]) throws(PayloadError) -> JSONDocument
    {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(self.bytes.count - range.count + replacement.count)
        bytes += self.bytes[..<range.lowerBound]
        bytes += replacement
        bytes += self.bytes[range.upperBound...]
        return try JSONDocument(parsing: bytes, limits: limits)
    }

    private func object(at path: JSONPath) throws(PayloadError) -> Int {
        guard let node = node(at: path) else { throw Self.noValue }
        guard bytes[Int(nodes[node].start)] == UInt8(ascii: "{") else {
            throw PayloadError(
                .wrongShape, at: Int(nodes[node].start), reason: "there is no object at the path")
        }
        return node
    }

    private static var noValue: PayloadError {
        PayloadError(.noValue, reason: "the document has no value at the path")
    }
}
