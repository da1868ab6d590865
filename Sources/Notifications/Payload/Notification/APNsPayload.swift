/// The JSON payload of a remote notification, as sent to APNs or in a request to a push provider.
///
/// In a provider's request (``envelope``) texts, category, attachments and note are read and written
/// where that provider has them.
///
/// Unknown keys, and values of another type than Apple documents, are ignored and stay in the
/// document.
public struct APNsPayload: Sendable, Hashable {
    /// The document, with its original bytes.
    public let document: JSONDocument
    /// The provider's request that the document is; nil for an APNs payload.
    public let envelope: RequestEnvelope?

    /// Creates a payload from a document.
    ///
    /// - Parameter document: An object. Its `aps`, if present, must be an object.
    /// - Throws: `PayloadError` with the code `wrongShape`.
    public init(_ document: JSONDocument) throws(PayloadError) {
        try self.init(body: document)
        guard document.node(at: Self.aps) == nil else { return }
        self.init(document, around: RequestEnvelope.around(document))
    }

    /// Creates a payload that is no provider's request.
    init(body document: JSONDocument) throws(PayloadError) {
        let document = try Self.object(document)
        if let aps = document.node(at: Self.aps), document.members(aps) == nil {
            throw PayloadError(
                .wrongShape, at: document.nodes[aps].range.lowerBound,
                reason: "the payload's aps is not an object")
        }
        self.init(document, around: nil)
    }

    /// Creates a payload after a change that left its envelope alone.
    init(_ document: JSONDocument, in envelope: RequestEnvelope?) throws(PayloadError) {
        if let envelope {
            self.init(document, around: envelope)
        } else {
            try self.init(body: document)
        }
    }

    private init(_ document: JSONDocument, around envelope: RequestEnvelope?) {
        self.document = document
        self.envelope = envelope
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
    ///
    /// Of a provider's request only the APNs payload in it counts, and the values that the provider
    /// copies into it.
    public var size: Int { envelope?.size(of: document) ?? document.bytes.count }

    static let aps = JSONPath(keys: "aps")
}

extension APNsPayload: CustomStringConvertible, CustomDebugStringConvertible {
    /// The size, without the private contents.
    public var description: String {
        "\(envelope.map { "\($0.name) request" } ?? "APNs payload") of \(size) bytes"
    }

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
