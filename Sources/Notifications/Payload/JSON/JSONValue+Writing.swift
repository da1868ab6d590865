extension JSONValue {
    /// Encodes the value as compact JSON.
    ///
    /// - Parameter maximumDepth: The maximum nesting of arrays and objects. The default is 128.
    /// - Returns: The bytes, UTF-8.
    /// - Throws: `PayloadError` with the code `tooDeep`.
    public func encoded(
        maximumDepth: Int = JSONLimits().maximumDepth
    ) throws(PayloadError) -> [UInt8] {
        var bytes: [UInt8] = []
        try write(into: &bytes, depth: min(maximumDepth, JSONLimits(maximumDepth: .max).depth))
        return bytes
    }

    private func write(into bytes: inout [UInt8], depth: Int) throws(PayloadError) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += number.spelling.utf8
        case .string(let text): JSONText.encode(text, into: &bytes)
        case .array(let elements):
            try Self.check(depth: depth)
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                try element.write(into: &bytes, depth: depth - 1)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            try Self.check(depth: depth)
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONText.encode(member.key, into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                try member.value.write(into: &bytes, depth: depth - 1)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func check(depth: Int) throws(PayloadError) {
        guard depth > 0 else { throw PayloadError(.tooDeep, reason: "the new value is too deep") }
    }
}
