/// The JSON payload of a remote notification, as it is sent to APNs.
///
/// It is read for what Thimble must know and otherwise left alone: what is not understood, or is of
/// another type than Apple documents, is passed over and stays in the document.
public struct APNsPayload: Sendable, Hashable {
    /// The document, byte for byte.
    public let document: JSONDocument

    /// Takes a document.
    ///
    /// - Parameter document: An object, with an object as its `aps` where it has one.
    /// - Throws: `PayloadError` with the code `wrongShape`.
    public init(_ document: JSONDocument) throws(PayloadError) {
        let document = try Self.object(document)
        if let aps = document.node(at: Self.aps), document.members(aps) == nil {
            throw PayloadError(
                .wrongShape, at: document.nodes[aps].range.lowerBound,
                reason: "the payload's aps is not an object")
        }
        self.document = document
    }

    /// A document that is an object.
    ///
    /// - Parameter document: Any document.
    /// - Returns: The document.
    /// - Throws: `PayloadError` with the code `wrongShape`.
    static func object(_ document: JSONDocument) throws(PayloadError) -> JSONDocument {
        guard document.bytes[Int(document.nodes[0].start)] == UInt8(ascii: "{") else {
            throw PayloadError(.wrongShape, at: 0, reason: "the payload is not an object")
        }
        return document
    }

    /// Reads a payload.
    ///
    /// - Parameters:
    ///   - bytes: The payload, UTF-8.
    ///   - limits: What it may cost. The default is 16 MiB, 128 levels and 500,000 values.
    /// - Throws: `PayloadError` when it is no JSON, or not of a payload's shape.
    public init(
        parsing bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()
    ) throws(PayloadError) {
        try self.init(JSONDocument(parsing: bytes, limits: limits))
    }

    /// The payload, byte for byte.
    public var bytes: [UInt8] { document.bytes }

    /// The size that APNs counts, in bytes.
    public var size: Int { document.bytes.count }

    /// The way to Apple's own keys.
    static let aps = JSONPath(keys: "aps")
}

extension APNsPayload: CustomStringConvertible, CustomDebugStringConvertible {
    /// The size, without the payload, which is private.
    public var description: String { "APNs payload of \(size) bytes" }

    /// The size, without the payload, which is private.
    public var debugDescription: String { description }
}

extension APNsPayload {
    /// The most bytes that APNs takes for a notification (Apple, "Generating a remote
    /// notification").
    public static let maximumSize = 4096
    /// The most bytes that APNs takes for a VoIP notification (same source).
    public static let maximumVoIPSize = 5120
}
