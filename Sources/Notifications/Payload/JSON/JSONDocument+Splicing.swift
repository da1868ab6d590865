/// Edits that parse only the new bytes and shift the positions of the values after them.
extension JSONDocument {
    /// Returns the document with other bytes, which are one value, in place of a value.
    func replacing(_ node: Int, with bytes: [UInt8]) throws(PayloadError) -> JSONDocument {
        let value = try JSONDocument(parsing: bytes, limits: limits)
        let place = nodes[node].range
        return try splicing(
            Splice(
                range: place, bytes: value.bytes[...], pivot: node,
                nodes: node..<Int(nodes[node].next), newNodes: value.nodes[...],
                offset: place.lowerBound))
    }

    /// Returns the document with the members of another object, which is written without white
    /// space around it, at the end of an object.
    func appending(
        _ members: JSONDocument, to object: Int
    ) throws(PayloadError) -> JSONDocument {
        let content = members.bytes[1..<(members.bytes.count - 1)]
        let end = Int(nodes[object].next)
        let last = lastMember(of: object).map { nodes[$0.value].range.upperBound }
        let place = last ?? nodes[object].range.lowerBound + 1
        let comma: [UInt8] = last == nil ? [] : [UInt8(ascii: ",")]
        return try splicing(
            Splice(
                range: place..<place, bytes: comma + content, pivot: object, nodes: end..<end,
                newNodes: members.nodes[1...], offset: place + comma.count - 1))
    }

    private struct Splice {
        /// The bytes to replace.
        let range: Range<Int>
        let bytes: ArraySlice<UInt8>
        /// The last node whose containers, itself included, are around the new nodes.
        let pivot: Int
        /// The nodes to replace.
        let nodes: Range<Int>
        let newNodes: ArraySlice<JSONNode>
        /// Distance from the positions of the new nodes to those in the document.
        let offset: Int
    }

    private func splicing(_ splice: Splice) throws(PayloadError) -> JSONDocument {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(self.bytes.count - splice.range.count + splice.bytes.count)
        bytes += self.bytes[..<splice.range.lowerBound]
        bytes += splice.bytes
        bytes += self.bytes[splice.range.upperBound...]
        let count = nodes.count - splice.nodes.count + splice.newNodes.count
        let byteShift = splice.bytes.count - splice.range.count
        let nodeShift = splice.newNodes.count - splice.nodes.count
        var spliced: [JSONNode] = []
        spliced.reserveCapacity(count)
        var depth = 0
        for (index, node) in nodes[..<splice.nodes.lowerBound].enumerated() {
            let isAround = index <= splice.pivot && Int(node.next) > splice.pivot
            if isAround { depth += 1 }
            spliced.append(isAround ? node.shifted(end: byteShift, next: nodeShift) : node)
        }
        for node in splice.newNodes {
            let shifted = node.shifted(
                by: splice.offset, next: splice.nodes.lowerBound - splice.newNodes.startIndex)
            let first = bytes[Int(shifted.start)]
            if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { depth += 1 }
            spliced.append(shifted)
        }
        // An upper limit of the depth. Near the limits, the parser decides.
        guard depth <= limits.depth, count <= limits.maximumValues, bytes.count <= limits.bytes
        else { return try JSONDocument(parsing: bytes, limits: limits) }
        for node in nodes[splice.nodes.upperBound...] {
            spliced.append(node.shifted(by: byteShift, next: nodeShift))
        }
        return JSONDocument(bytes: bytes, nodes: spliced, limits: limits)
    }
}

extension JSONNode {
    fileprivate func shifted(by offset: Int, next nodes: Int) -> JSONNode {
        JSONNode(
            start: start.advanced(by: offset), end: end.advanced(by: offset),
            next: next.advanced(by: nodes))
    }

    fileprivate func shifted(end offset: Int, next nodes: Int) -> JSONNode {
        JSONNode(start: start, end: end.advanced(by: offset), next: next.advanced(by: nodes))
    }
}
