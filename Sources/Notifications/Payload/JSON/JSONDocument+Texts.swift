/// Documents within a document: objects, and strings that contain JSON.
extension JSONDocument {
    /// The longest string that is read as JSON, in bytes: a message of Amazon SNS ("Publish", API
    /// reference).
    static let maximumText = 256 << 10

    /// A value of this document, or of a document in one of its strings.
    enum Location {
        case node(Int)
        /// The string's node, its document, and the rest of the path.
        case text(Int, JSONDocument, JSONPath)
    }

    /// Finds the first string on a path that contains JSON, else the value; nil without a value.
    func location(_ path: JSONPath) -> Location? {
        var node = 0
        for (index, step) in path.steps.enumerated() {
            let next: Int? =
                switch step {
                case .key(let key): member(key, of: node)?.value
                case .index(let index): element(index, of: node)
                }
            guard let next else {
                return text(at: node).map { .text(node, $0, JSONPath(Array(path.steps[index...]))) }
            }
            node = next
        }
        return .node(node)
    }

    /// Returns the object at a path as a document of its own, whether it is an object or a string
    /// that contains one.
    ///
    /// - Parameter path: The path from the root.
    /// - Returns: The document; nil if the document has no object there.
    public func document(at path: JSONPath) -> JSONDocument? {
        switch location(path) {
        case .node(let node):
            switch bytes[Int(nodes[node].start)] {
            case UInt8(ascii: "{"):
                return try? JSONDocument(parsing: bytes[nodes[node].range], limits: limits)
            default:
                return text(at: node).flatMap { $0.members(0) == nil ? nil : $0 }
            }
        case .text(_, let inner, let rest): return inner.document(at: rest)
        case nil: return nil
        }
    }

    /// Returns the document with another object at a path, in the form of the former one: an object,
    /// or a string that contains one.
    func replacing(
        _ path: JSONPath, with document: JSONDocument
    ) throws(PayloadError) -> JSONDocument {
        switch location(path) {
        case .node(let node):
            if let inner = text(at: node) {
                return try replacingText(of: node, inner, with: document)
            }
            return try replacing(node, with: document.bytes)
        case .text(let node, let inner, let rest):
            return try replacingText(of: node, inner, with: inner.replacing(rest, with: document))
        case nil:
            throw PayloadError(.noValue, reason: "the document has no value at the path")
        }
    }

    /// Returns the document with a changed document in one of its strings.
    ///
    /// Characters before and after the change keep their spelling.
    func replacingText(
        of node: Int, _ old: JSONDocument, with new: JSONDocument
    ) throws(PayloadError) -> JSONDocument {
        let range = nodes[node].range
        let spelling = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
        return try replacing(
            node,
            with: [UInt8(ascii: "\"")]
                + JSONText.respelled(spelling, from: old.bytes, to: new.bytes)
                + [UInt8(ascii: "\"")])
    }

    /// The document in a string; nil for other values and other text.
    private func text(at node: Int) -> JSONDocument? {
        let range = nodes[node].range
        guard bytes[range.lowerBound] == UInt8(ascii: "\""), range.count <= Self.maximumText else {
            return nil
        }
        let spelling = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
        // Nearly all strings on the paths of known keys are URLs.
        let openings = "{[\\ ".utf8
        guard let first = spelling.first, openings.contains(first) else { return nil }
        let text = Array(JSONText.decoded(spelling).utf8)
        let opening = text.first { !" \t\r\n".utf8.contains($0) }
        guard opening == UInt8(ascii: "{") || opening == UInt8(ascii: "[") else { return nil }
        return try? JSONDocument(parsing: text, limits: limits)
    }
}
