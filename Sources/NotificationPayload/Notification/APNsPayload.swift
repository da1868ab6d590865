/// The JSON payload of a remote notification, as sent to APNs.
///
/// Unknown keys, and values of another type than Apple documents, are ignored and stay in the
/// document.
public struct APNsPayload: Sendable, Hashable {
    /// The document, with its original bytes.
    public let document: JSONDocument

    /// Creates a payload from a document.
    ///
    /// - Parameter document: An object. Its `aps`, if present, must be an object.
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

    static func object(_ document: JSONDocument) throws(PayloadError) -> JSONDocument {
        guard document.bytes[Int(document.nodes[0].start)] == UInt8(ascii: "{") else {
            throw PayloadError(.wrongShape, at: 0, reason: "the payload is not an object")
        }
        return document
    }

    /// Parses a payload.
    ///
    /// - Parameters:
    ///   - bytes: The payload, UTF-8.
    ///   - limits: The parsing limits. The default is 16 MiB, 128 levels and 500,000 values.
    /// - Throws: `PayloadError` if the bytes are not JSON, or the document is not a payload.
    public init(
        parsing bytes: some Collection<UInt8>, limits: JSONLimits = JSONLimits()
    ) throws(PayloadError) {
        try self.init(JSONDocument(parsing: bytes, limits: limits))
    }

    /// The bytes of the payload.
    public var bytes: [UInt8] { document.bytes }

    /// The size that APNs checks, in bytes.
    public var size: Int { document.bytes.count }

    static let aps = JSONPath(keys: "aps")
}

extension APNsPayload: CustomStringConvertible, CustomDebugStringConvertible {
    /// The size, without the private contents.
    public var description: String { "APNs payload of \(size) bytes" }

    /// The size, without the private contents.
    public var debugDescription: String { description }
}

extension APNsPayload {
    /// The maximum size of a notification, in bytes (Apple, "Generating a remote notification").
    public static let maximumSize = 4096
    /// The maximum size of a VoIP notification, in bytes (same source).
    public static let maximumVoIPSize = 5120

    /// Returns the maximum size for a value of the header `apns-push-type`, in bytes.
    public static func maximumSize(pushType: String) -> Int {
        pushType == "voip" ? maximumVoIPSize : maximumSize
    }
}
