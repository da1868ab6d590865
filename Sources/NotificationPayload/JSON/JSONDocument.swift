/// A JSON document that comes out byte for byte as it went in, but for what is edited.
///
/// Key order, number spelling, escapes, duplicate keys and white space stay as they are: the
/// document keeps its bytes and the places of its values, and an edit replaces the bytes of one
/// value alone. It reads RFC 8259 strictly, refuses what is no Unicode text, and has no notion of
/// comments or trailing commas.
public struct JSONDocument: Sendable {
    /// The document, from its first byte to its last.
    public let bytes: [UInt8]
    /// What it may cost, after edits too.
    public let limits: JSONLimits
    /// The places of all values and keys; the first is the root.
    let nodes: [JSONNode]

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: The document, UTF-8 without a byte order mark.
    ///   - limits: What it may cost. The default is 16 MiB, 128 levels and 500,000 values.
    /// - Throws: `PayloadError` with the offset of the first fault. A document above the limit of
    ///   bytes is refused without a look at it.
    public init(
        parsing bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()
    ) throws(PayloadError) {
        guard bytes.count <= limits.bytes else { throw Self.tooLarge(limits) }
        var parser = JSONParser(Array(bytes), limits: limits)
        try parser.parse()
        self.init(parser, limits: limits)
    }

    /// Takes over what a parser has read.
    ///
    /// - Parameters:
    ///   - parser: A parser with a complete document.
    ///   - limits: What the document may cost.
    init(_ parser: JSONParser, limits: JSONLimits) {
        bytes = parser.bytes
        nodes = parser.nodes
        self.limits = limits
    }

    /// The error that a document has more bytes than the limit.
    static func tooLarge(_ limits: JSONLimits) -> PayloadError {
        PayloadError(.tooLarge, reason: "the document is longer than \(limits.bytes) bytes")
    }
}

extension JSONDocument: Hashable {
    /// Documents are equal when their bytes are.
    ///
    /// - Parameters:
    ///   - left: One document.
    ///   - right: Another.
    /// - Returns: Whether their bytes are equal.
    public static func == (left: JSONDocument, right: JSONDocument) -> Bool {
        left.bytes == right.bytes
    }

    /// Hashes the bytes.
    ///
    /// - Parameter hasher: What the bytes are fed to.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension JSONDocument: CustomStringConvertible, CustomDebugStringConvertible {
    /// The size, without the document, which is private.
    public var description: String { "JSON document of \(bytes.count) bytes" }

    /// The size, without the document, which is private.
    public var debugDescription: String { description }
}
