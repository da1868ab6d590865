internal import Foundation

/// The location of a notification's attachment.
///
/// It names a file or a URL but never opens it.
public struct AttachmentReference: Sendable, Hashable {
    /// The kinds of location.
    public enum Kind: String, Sendable, CaseIterable {
        /// A path in the local file system.
        case localPath = "local-path"
        /// A `file:` URL.
        case fileURL = "file-url"
        /// Any other URL.
        case remoteURL = "remote-url"
    }

    /// The attachment's name within the notification.
    public var identifier: String
    /// The path or URL, as written in the payload, without white space around a URL.
    public var location: String
    /// The sender's type hint, as written: a file extension, a kind such as `image` or a media type;
    /// nil if absent.
    public var typeHint: String?
    /// The path of the location in the payload; nil for other sources.
    public var path: JSONPath?
    /// The path of the type hint in the payload; nil for other sources.
    public var typeHintPath: JSONPath?

    /// The display surface of the key in the payload.
    ///
    /// The default is ``PictureSurface/content``.
    public var surface = PictureSurface.content
    /// The further keys of a provider's request that have the same location.
    public var copies: [Copy] = []

    /// A further key with the location of an attachment.
    public struct Copy: Sendable, Hashable {
        /// The path of the location in the payload.
        public let path: JSONPath
        /// The path of the type hint in the payload; nil without one.
        public let typeHintPath: JSONPath?
        /// The display surface of the key.
        public let surface: PictureSurface
    }

    /// Creates a reference.
    ///
    /// - Parameters:
    ///   - identifier: The attachment's name within the notification.
    ///   - location: The path or URL.
    ///   - typeHint: The sender's type hint. The default is nil.
    ///   - path: The path of the location in the payload. The default is nil.
    ///   - typeHintPath: The path of the type hint in the payload. The default is nil.
    public init(
        identifier: String, location: String, typeHint: String? = nil, path: JSONPath? = nil,
        typeHintPath: JSONPath? = nil
    ) {
        self.identifier = identifier
        self.location = location
        self.typeHint = typeHint
        self.path = path
        self.typeHintPath = typeHintPath
    }
}

extension AttachmentReference {
    /// The kind of location.
    ///
    /// A scheme (RFC 3986, section 3.1) makes a URL if `//` follows it, or if it is `file` or `data`.
    /// A file name may contain a colon.
    public var kind: Kind {
        guard let colon = location.utf8.firstIndex(of: UInt8(ascii: ":")) else { return .localPath }
        let scheme = location[..<colon].lowercased()
        if scheme == "file" { return .fileURL }
        let isScheme =
            scheme.utf8.first.map { (0x61...0x7A).contains($0) } == true
            && scheme.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || $0.isDigit || [0x2B, 0x2D, 0x2E].contains($0)
            }
        let hasAuthority = location[colon...].hasPrefix("://")
        return scheme == "data" || isScheme && hasAuthority ? .remoteURL : .localPath
    }

    /// The path in the local file system; nil for a remote URL, for a `file:` URL of another host
    /// (RFC 8089), and for a path with a NUL, which the system would truncate.
    public var localPath: String? {
        let path: String?
        switch kind {
        case .localPath: path = location
        case .remoteURL: path = nil
        case .fileURL:
            let rest = location.dropFirst("file:".count)
            if rest.hasPrefix("//") {
                let authority = rest.dropFirst(2).prefix { $0 != "/" }
                guard ["", "localhost"].contains(authority.lowercased()) else { return nil }
                path =
                    rest.dropFirst(2 + authority.count).prefix { !"?#".contains($0) }.percentDecoded
            } else {
                path = rest.prefix { !"?#".contains($0) }.percentDecoded
            }
        }
        guard let path, !path.isEmpty, !path.utf8.contains(0) else { return nil }
        return path
    }
}

extension AttachmentReference {
    /// True if an Apple device shows the attachment, and not only another platform.
    public var isForApple: Bool {
        surface == .content || copies.contains { $0.surface == .content }
    }

    /// All keys with the location, in the order of the payload's description; empty for other sources.
    var places: [Copy] {
        guard let path else { return [] }
        return [Copy(path: path, typeHintPath: typeHintPath, surface: surface)] + copies
    }

    /// The location in a text: a URL without white space around it, or else the text itself, since the
    /// name of a file may begin and end with white space.
    static func location(in text: String) -> String {
        guard let first = text.first, let last = text.last, first.isWhitespace || last.isWhitespace
        else { return text }
        let trimmed = text.drop(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace }.map { trimmed.index(after: $0) }
        let url = String(trimmed[..<(end ?? trimmed.startIndex)])
        let kind = AttachmentReference(identifier: "", location: url).kind
        return kind == .localPath ? text : url
    }
}

extension AttachmentReference: CustomStringConvertible {
    /// The kind of location, without the private identifier and location.
    public var description: String { "attachment at a \(kind.rawValue)" }
}
