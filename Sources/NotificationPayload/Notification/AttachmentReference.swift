internal import Foundation

/// Where an attachment of a notification is to be had.
///
/// It names a file or an address, and neither opens the one nor asks the other.
public struct AttachmentReference: Sendable, Hashable {
    /// What kind of place a location is.
    public enum Kind: String, Sendable, CaseIterable {
        /// A path of this machine's file system.
        case localPath = "local-path"
        /// A `file:` URL.
        case fileURL = "file-url"
        /// Any other URL.
        case remoteURL = "remote-url"
    }

    /// The name of the attachment within the notification.
    public var identifier: String
    /// The path or URL, as it is written.
    public var location: String
    /// What the sender says of the type, as it is written: a file extension, a kind such as `image`
    /// or a media type; nil when it says nothing.
    public var typeHint: String?
    /// Where the location stands in the payload; nil when it comes from elsewhere.
    public var path: JSONPath?
    /// Where the type hint stands in the payload; nil when it comes from elsewhere.
    public var typeHintPath: JSONPath?

    /// Makes a reference.
    ///
    /// - Parameters:
    ///   - identifier: The name of the attachment within the notification.
    ///   - location: The path or URL.
    ///   - typeHint: What the sender says of the type. The default is nothing.
    ///   - path: Where the location stands in the payload. The default is nowhere.
    ///   - typeHintPath: Where the type hint stands in the payload. The default is nowhere.
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
    /// What kind of place the location is.
    ///
    /// A scheme (RFC 3986, section 3.1) makes a URL when `//` follows it, or when it is `file` or
    /// `data`: a file may well have a colon in its name.
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

    /// The path in this machine's file system; nil for a remote URL, for a `file:` URL of another
    /// host (RFC 8089), and for a path with a NUL in it, which the system would cut short.
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
                    rest.dropFirst(2 + authority.count).prefix { !"?#".contains($0) }
                    .removingPercentEncoding
            } else {
                path = rest.prefix { !"?#".contains($0) }.removingPercentEncoding
            }
        }
        guard let path, !path.isEmpty, !path.utf8.contains(0) else { return nil }
        return path
    }
}

extension AttachmentReference: CustomStringConvertible {
    /// The kind of place, without identifier and location, which are private.
    public var description: String { "attachment at a \(kind.rawValue)" }
}
