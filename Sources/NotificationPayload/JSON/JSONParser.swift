/// Reads a document of RFC 8259 once, from its first byte to its last, and notes where values lie.
///
/// It makes no value and copies no byte. Containers are kept on a stack of its own, no deeper than
/// the limit, so that nesting costs no call.
struct JSONParser {
    let bytes: [UInt8]
    private let limits: JSONLimits
    /// What was found so far.
    private(set) var nodes: [JSONNode] = []
    /// The next byte to read.
    var position = 0
    /// The nodes of the containers that are open.
    private var open: [Int] = []

    /// Makes a parser.
    ///
    /// - Parameters:
    ///   - bytes: The document, not above the limit.
    ///   - limits: What it may cost.
    init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
        // Apple's examples of payloads have one value or key in about ten bytes.
        nodes.reserveCapacity(min(bytes.count / 10 + 4, max(0, limits.maximumValues)))
    }

    /// Reads the document.
    ///
    /// - Throws: `PayloadError` with the offset of the first fault.
    mutating func parse() throws(PayloadError) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw PayloadError(.byteOrderMark, at: 0, reason: "it begins with a byte order mark")
        }
        skipWhiteSpace()
        guard position < bytes.count else {
            throw PayloadError(.empty, at: 0, reason: "there is nothing but white space")
        }
        repeat { try value() } while try hasNext()
        skipWhiteSpace()
        guard position == bytes.count else {
            throw fault(.trailingBytes, "something follows the document")
        }
    }

    /// Reads a scalar, or opens a container and reads up to its first value.
    private mutating func value() throws(PayloadError) {
        while let byte = peek {
            let node = nodes.count
            try note(at: position)
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard open.count < limits.depth else {
                    throw fault(.tooDeep, "values lie deeper than \(limits.depth) in one another")
                }
                position += 1
                skipWhiteSpace()
                // The closing byte is two above the opening one, in ASCII.
                if peek == byte + 2 {
                    position += 1
                    break
                }
                open.append(node)
                if byte == UInt8(ascii: "{") { try key() }
                continue
            case UInt8(ascii: "\""): try string()
            case UInt8(ascii: "t"): try literal("true")
            case UInt8(ascii: "f"): try literal("false")
            case UInt8(ascii: "n"): try literal("null")
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
            default: throw unexpected("a value")
            }
            close(node)
            return
        }
        throw unexpected("a value")
    }

    /// Closes the containers that end here, and goes on to the next value of one that does not.
    ///
    /// - Returns: Whether there is a next value.
    private mutating func hasNext() throws(PayloadError) -> Bool {
        while let container = open.last {
            let isObject = bytes[Int(nodes[container].start)] == UInt8(ascii: "{")
            skipWhiteSpace()
            switch peek {
            case UInt8(ascii: ","):
                position += 1
                skipWhiteSpace()
                if isObject { try key() }
                return true
            case isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"):
                position += 1
                close(container)
                open.removeLast()
            default:
                throw unexpected(
                    isObject ? "a comma or a closing brace" : "a comma or a closing bracket")
            }
        }
        return false
    }

    /// Reads a key and its colon.
    private mutating func key() throws(PayloadError) {
        guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
        let node = nodes.count
        try note(at: position)
        try string()
        close(node)
        skipWhiteSpace()
        guard peek == UInt8(ascii: ":") else { throw unexpected("a colon") }
        position += 1
        skipWhiteSpace()
    }

    private mutating func literal(_ text: StaticString) throws(PayloadError) {
        for expected in text.description.utf8 {
            guard peek == expected else { throw unexpected("true, false or null") }
            position += 1
        }
    }

    private mutating func note(at start: Int) throws(PayloadError) {
        guard nodes.count < limits.maximumValues else {
            throw fault(.tooMany, "there are more than \(limits.maximumValues) values and keys")
        }
        nodes.append(JSONNode(start: UInt32(start), end: 0, next: 0))
    }

    private mutating func close(_ node: Int) {
        nodes[node].end = UInt32(position)
        nodes[node].next = UInt32(nodes.count)
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count, bytes[position].isJSONWhiteSpace { position += 1 }
    }

    /// The next byte; nil at the end.
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// An error at the next byte.
    func fault(_ code: PayloadError.Code, _ reason: String) -> PayloadError {
        PayloadError(code, at: position, reason: reason)
    }

    /// The error that the next byte, or the end, is not what it must be.
    func unexpected(_ expected: String) -> PayloadError {
        switch peek {
        case nil: fault(.truncated, "it ends where \(expected) must stand")
        case 0: fault(.nul, "there is a byte of value zero")
        default: fault(.unexpectedByte, "there is something else than \(expected)")
        }
    }
}

extension UInt8 {
    /// Whether the byte is white space of JSON: space, tab, line feed or carriage return.
    var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
