/// A JSON document that keeps every byte outside edited values.
///
/// Key order, number spelling, escapes, duplicate keys and white space stay as they are. The
/// document stores its bytes and the positions of its values; an edit replaces the bytes of one
/// value. Parsing follows RFC 8259 strictly and rejects invalid UTF-8, comments and trailing commas.
public struct JSONDocument: Sendable {
    /// The bytes of the document.
    public let bytes: [UInt8]
    /// The parsing limits, which also apply to edits.
    public let limits: JSONLimits
    /// The positions of all values and keys; the first is the root.
    let nodes: [JSONNode]

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - bytes: The document, UTF-8 without a byte order mark.
    ///   - limits: The parsing limits. The default is 16 MiB, 128 levels and 500,000 values.
    /// - Throws: `PayloadError` with the offset of the first fault. A document over the byte limit
    ///   is rejected without parsing.
    public init(
        parsing bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()
    ) throws(PayloadError) {
        guard bytes.count <= limits.bytes else { throw Self.tooLarge(limits) }
        var parser = JSONParser(Array(bytes), limits: limits)
        try parser.parse()
        self.init(parser, limits: limits)
    }

    init(_ parser: JSONParser, limits: JSONLimits) {
        self.init(bytes: parser.bytes, nodes: parser.nodes, limits: limits)
    }

    init(bytes: [UInt8], nodes: [JSONNode], limits: JSONLimits) {
        self.bytes = bytes
        self.nodes = nodes
        self.limits = limits
    }

    static func tooLarge(_ limits: JSONLimits) -> PayloadError {
        PayloadError(.tooLarge, reason: "the document is longer than \(limits.bytes) bytes")
    }
}

extension JSONDocument: Hashable {
    /// Compares the bytes of two documents.
    public static func == (left: JSONDocument, right: JSONDocument) -> Bool {
        left.bytes == right.bytes
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension JSONDocument: CustomStringConvertible, CustomDebugStringConvertible {
    /// The size, without the private contents.
    public var description: String { "JSON document of \(bytes.count) bytes" }

    /// The size, without the private contents.
    public var debugDescription: String { description }
}
