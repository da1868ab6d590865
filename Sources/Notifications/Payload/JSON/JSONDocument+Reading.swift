extension JSONDocument {
    /// The whole document as a value.
    public var root: JSONValue { value(0) }

    /// The value at a path.
    ///
    /// A path may lead through a string that contains JSON, as in the requests of Amazon SNS.
    ///
    /// - Parameter path: The path from the root.
    /// - Returns: The value; nil if the document has no value there.
    public func value(at path: JSONPath) -> JSONValue? {
        switch location(path) {
        case .node(let node): value(node)
        case .text(_, let inner, let rest): inner.value(at: rest)
        case nil: nil
        }
    }

    /// The byte range of the value at a path.
    ///
    /// - Parameter path: The path from the root.
    /// - Returns: The range in ``bytes``; nil if the document has no value there, or has it in JSON
    ///   within a string.
    public func range(at path: JSONPath) -> Range<Int>? { node(at: path).map { nodes[$0].range } }

    func node(at path: JSONPath) -> Int? {
        var node = 0
        for step in path.steps {
            let next: Int? =
                switch step {
                case .key(let key): member(key, of: node)?.value
                case .index(let index): element(index, of: node)
                }
            guard let next else { return nil }
            node = next
        }
        return node
    }

    /// The last member of an object with a key; nil if the key is absent or the node is no object.
    func member(_ name: String, of node: Int) -> (key: Int, value: Int)? {
        var name = name
        return name.withUTF8 { name in
            var found: (key: Int, value: Int)?
            // Duplicate keys are rare, so the last one is found by a walk from the first.
            forEachMember(of: node) { member in
                if isKey(member.key, name) { found = member }
            }
            return found
        }
    }

    private func isKey(_ node: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        let range = nodes[node].range
        let spelling = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)]
        // Most keys have no escapes and are equal to their spelling.
        if spelling.count == name.count, spelling.elementsEqual(name) {
            return !spelling.contains(UInt8(ascii: "\\"))
        }
        guard spelling.count > name.count, spelling.contains(UInt8(ascii: "\\")) else {
            return false
        }
        return JSONText.decoded(spelling).utf8.elementsEqual(name)
    }

    func lastMember(of node: Int) -> (key: Int, value: Int)? {
        var last: (key: Int, value: Int)?
        forEachMember(of: node) { last = $0 }
        return last
    }

    /// Visits the members of an object, and nothing of another value.
    private func forEachMember(of node: Int, _ visit: ((key: Int, value: Int)) -> Void) {
        guard bytes[Int(nodes[node].start)] == UInt8(ascii: "{") else { return }
        var key = node + 1
        while key < Int(nodes[node].next) {
            visit((key, key + 1))
            key = Int(nodes[key + 1].next)
        }
    }

    func members(_ node: Int) -> [(key: Int, value: Int)]? {
        guard bytes[Int(nodes[node].start)] == UInt8(ascii: "{") else { return nil }
        var members: [(key: Int, value: Int)] = []
        var key = node + 1
        while key < Int(nodes[node].next) {
            members.append((key, key + 1))
            key = Int(nodes[key + 1].next)
        }
        return members
    }

    func elements(_ node: Int) -> [Int]? {
        guard bytes[Int(nodes[node].start)] == UInt8(ascii: "[") else { return nil }
        var elements: [Int] = []
        var element = node + 1
        while element < Int(nodes[node].next) {
            elements.append(element)
            element = Int(nodes[element].next)
        }
        return elements
    }

    func element(_ index: Int, of node: Int) -> Int? {
        guard let elements = elements(node), elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// Converts a node, recursively; `JSONLimits.depth` bounds the recursion.
    private func value(_ node: Int) -> JSONValue {
        let range = nodes[node].range
        switch bytes[range.lowerBound] {
        case UInt8(ascii: "{"):
            return .object((members(node) ?? []).map { JSONMember(text($0.key), value($0.value)) })
        case UInt8(ascii: "["): return .array((elements(node) ?? []).map(value))
        case UInt8(ascii: "\""): return .string(text(node))
        case UInt8(ascii: "t"): return .bool(true)
        case UInt8(ascii: "f"): return .bool(false)
        case UInt8(ascii: "n"): return .null
        default: return .number(JSONNumber(accepted: String(decoding: bytes[range], as: UTF8.self)))
        }
    }

    func text(_ node: Int) -> String {
        let range = nodes[node].range
        return JSONText.decoded(bytes[(range.lowerBound + 1)..<(range.upperBound - 1)])
    }
}
