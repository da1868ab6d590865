/// A single-pass parser of RFC 8259 that records the positions of values.
///
/// The bytes may arrive in parts that split no token; lines are such parts, since no token contains
/// a line feed. The parser builds no values. A bounded stack replaces recursion.
struct JSONParser {
    private enum Expectation {
        case value, firstElement, firstKey, key, colon, commaOrEnd, nothing
    }

    private(set) var bytes: [UInt8] = []
    private let limits: JSONLimits
    private(set) var nodes: [JSONNode] = []
    var position = 0
    /// The nodes of the open containers, outermost first.
    private var open: [Int] = []
    private var expectation = Expectation.value
    /// True to omit reasons from errors: composing one costs more than parsing most lines.
    var isTerse = false

    init(_ bytes: [UInt8] = [], limits: JSONLimits) {
        self.limits = limits
        append(bytes)
    }

    /// True once the root value is complete: only white space may follow.
    var isComplete: Bool { expectation == .nothing }

    /// Appends the next part of the document, which must consist of whole tokens.
    mutating func append(_ part: some Collection<UInt8>) {
        // Apple's example payloads have one value or key in about ten bytes.
        let likely = min(part.count / 10 + 4, max(0, limits.maximumValues))
        if bytes.isEmpty, nodes.capacity < likely { nodes.reserveCapacity(likely) }
        bytes += part
    }

    /// Prepares for another document and keeps the allocated memory.
    mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        nodes.removeAll(keepingCapacity: true)
        open.removeAll(keepingCapacity: true)
        position = 0
        expectation = .value
    }

    mutating func parse() throws(PayloadError) {
        try read()
        guard isComplete else { throw truncation }
    }

    /// Parses the bytes available; stops where the next token is missing.
    mutating func read() throws(PayloadError) {
        if position == 0, bytes.first == 0xEF, bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw PayloadError(.byteOrderMark, at: 0, reason: "it begins with a byte order mark")
        }
        while true {
            skipWhiteSpace()
            guard let byte = peek else { return }
            switch expectation {
            case .firstElement where byte == UInt8(ascii: "]"),
                .firstKey where byte == UInt8(ascii: "}"):
                closeContainer()
            case .value, .firstElement: try value(byte)
            case .firstKey, .key: try key()
            case .colon:
                guard byte == UInt8(ascii: ":") else { throw unexpected("a colon") }
                position += 1
                expectation = .value
            case .commaOrEnd: try commaOrEnd(byte)
            case .nothing: throw fault(.trailingBytes, "further bytes follow the document")
            }
        }
    }

    var truncation: PayloadError {
        switch expectation {
        case .value where nodes.isEmpty:
            PayloadError(.empty, at: 0, reason: "it has only white space")
        case .value, .firstElement: unexpected("a value")
        case .firstKey, .key: unexpected("a key in quotes")
        case .colon: unexpected("a colon")
        case .commaOrEnd, .nothing: unexpected(commaOrEndText)
        }
    }

    private mutating func value(_ byte: UInt8) throws(PayloadError) {
        let node = nodes.count
        try appendNode(at: position)
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard open.count < limits.depth else {
                throw fault(.tooDeep, "values nest more than \(limits.depth) levels deep")
            }
            position += 1
            open.append(node)
            expectation = byte == UInt8(ascii: "{") ? .firstKey : .firstElement
            return
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        default: throw unexpected("a value")
        }
        close(node)
        expectation = open.isEmpty ? .nothing : .commaOrEnd
    }

    private mutating func commaOrEnd(_ byte: UInt8) throws(PayloadError) {
        switch byte {
        case UInt8(ascii: ","):
            position += 1
            expectation = isInObject ? .key : .value
        case isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]"): closeContainer()
        default: throw unexpected(commaOrEndText)
        }
    }

    private mutating func closeContainer() {
        position += 1
        close(open.removeLast())
        expectation = open.isEmpty ? .nothing : .commaOrEnd
    }

    private var isInObject: Bool {
        open.last.map { bytes[Int(nodes[$0].start)] == UInt8(ascii: "{") } ?? false
    }

    private var commaOrEndText: String {
        isInObject ? "a comma or a closing brace" : "a comma or a closing bracket"
    }

    private mutating func key() throws(PayloadError) {
        guard peek == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
        let node = nodes.count
        try appendNode(at: position)
        try string()
        close(node)
        expectation = .colon
    }

    private mutating func literal(_ text: StaticString) throws(PayloadError) {
        for expected in text.description.utf8 {
            guard peek == expected else { throw unexpected("true, false or null") }
            position += 1
        }
    }

    private mutating func appendNode(at start: Int) throws(PayloadError) {
        guard nodes.count < limits.maximumValues else {
            throw fault(.tooMany, "it has more than \(limits.maximumValues) values and keys")
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

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    func fault(_ code: PayloadError.Code, _ reason: String) -> PayloadError {
        PayloadError(code, at: position, reason: reason)
    }

    func unexpected(_ expected: String) -> PayloadError {
        switch peek {
        case nil: fault(.truncated, isTerse ? "" : "it ends where \(expected) is required")
        case 0: fault(.nul, "it contains a NUL byte")
        default: fault(.unexpectedByte, isTerse ? "" : "\(expected) is required here")
        }
    }
}

extension UInt8 {
    var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
