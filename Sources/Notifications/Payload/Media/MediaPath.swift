/// A path to attachments in a payload, with an optional type hint.
public struct MediaPath: Sendable, Hashable {
    /// The path of the locations.
    public var path: JSONPath
    /// The path of the type hint; nil without one.
    public var type: JSONPath?

    /// Creates a path.
    ///
    /// - Parameters:
    ///   - path: The path of the locations.
    ///   - type: The path of the type hint. The default is nil.
    public init(_ path: JSONPath, type: JSONPath? = nil) {
        self.path = path
        self.type = type
    }
}

extension PayloadStyle {
    /// The maximum number of paths in a custom style.
    public static let maximumPaths = 100

    /// Parses a custom style.
    ///
    /// ```json
    /// ["data.hero", { "path": "data.picture.url", "type": "data.picture.kind" }]
    /// ```
    ///
    /// - Parameter bytes: A JSON array of paths, tried in order: strings, or objects with a `path` and
    ///   an optional `type`.
    /// - Throws: `PayloadError` with the offset of the fault.
    public init(parsing bytes: some Collection<UInt8>) throws(PayloadError) {
        let document = try JSONDocument(parsing: bytes)
        guard let elements = document.elements(0), !elements.isEmpty else {
            throw PayloadError(
                .wrongShape, at: document.nodes[0].range.lowerBound,
                reason: "a payload style is an array of one or more paths")
        }
        guard elements.count <= Self.maximumPaths else {
            throw PayloadError(
                .tooMany, at: document.nodes[elements[Self.maximumPaths]].range.lowerBound,
                reason: "a payload style has at most \(Self.maximumPaths) paths")
        }
        var paths: [MediaPath] = []
        for element in elements { paths.append(try MediaPath(element, of: document)) }
        self = .paths(paths)
    }
}

extension MediaPath {
    fileprivate init(_ node: Int, of document: JSONDocument) throws(PayloadError) {
        guard let members = document.members(node) else {
            self.init(try Self.path(node, of: document))
            return
        }
        var (path, type): (JSONPath?, JSONPath?)
        for member in members {
            switch document.text(member.key) {
            case "path": path = try Self.path(member.value, of: document)
            case "type": type = try Self.path(member.value, of: document)
            default:
                throw Self.wrongShape(member.key, of: document, "only path and type are allowed")
            }
        }
        guard let path else { throw Self.wrongShape(node, of: document, "a path is missing") }
        self.init(path, type: type)
    }

    private static func path(
        _ node: Int, of document: JSONDocument
    ) throws(PayloadError) -> JSONPath {
        let start = document.nodes[node].range.lowerBound
        guard document.bytes[start] == UInt8(ascii: "\"") else {
            throw wrongShape(node, of: document, "a path must be a string")
        }
        do throws(PayloadError) {
            return try JSONPath(parsing: document.text(node))
        } catch {
            throw PayloadError(error.code, at: start, reason: error.reason)
        }
    }

    private static func wrongShape(
        _ node: Int, of document: JSONDocument, _ reason: String
    ) -> PayloadError {
        PayloadError(
            .wrongShape, at: document.nodes[node].range.lowerBound, reason: reason)
    }
}
