import TransferProtocol

/// An `http` or `https` URL, in a spelling that every parser reads alike.
///
/// Only what RFC 3986 allows passes, so that the host that is judged here is the host that libcurl
/// contacts. Other characters in path and query are percent-encoded, and names of hosts in other
/// scripts get their ASCII form, as browsers do.
struct RemoteLocation: Sendable, Hashable {
    enum Scheme: String, Sendable {
        case https, http

        var port: UInt16 { self == .https ? 443 : 80 }
    }

    /// Limit on the length of a URL, in bytes; common servers accept no longer ones.
    private static let ceiling = 8 << 10

    let scheme: Scheme
    /// The name or IPv4 address in lowercase, or the IPv6 address in brackets.
    let host: String
    let port: UInt16
    /// Path and query, beginning with a slash.
    let target: String

    init(_ text: String) throws(FetchError) {
        guard text.utf8.count <= Self.ceiling else { throw .invalid("is longer than 8 kB") }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw .invalid("has no scheme")
        }
        guard let scheme = Scheme(rawValue: text[..<colon].lowercased()) else {
            throw FetchError(.refusedScheme, reason: "the URL's scheme is not https")
        }
        let rest = text[text.utf8.index(after: colon)...]
        guard rest.hasPrefix("//") else { throw .invalid("has no host") }
        let authority = rest.dropFirst(2).prefix { !"/?#\\".contains($0) }
        let (host, port) = try Self.hostAndPort(authority)
        self.scheme = scheme
        self.host = host
        self.port = port ?? scheme.port
        target = try Self.target(rest[authority.endIndex...])
    }

    private init(_ other: RemoteLocation, target: String) {
        (scheme, host, port) = (other.scheme, other.host, other.port)
        self.target = target
    }

    /// The URL without fragment.
    var text: String { "\(scheme.rawValue)://\(authority)\(target)" }

    /// The host, and the port unless it is the scheme's.
    var authority: String { port == scheme.port ? host : "\(host):\(port)" }

    /// Resolves a reference of a redirection (RFC 3986, section 5.2), except for dot segments, which
    /// libcurl removes.
    func resolving(_ reference: String) throws(FetchError) -> RemoteLocation {
        let head = reference.prefix { !"/?#".contains($0) }
        if head.contains(":") { return try RemoteLocation(reference) }
        if reference.hasPrefix("//") {
            return try RemoteLocation("\(scheme.rawValue):\(reference)")
        }
        let path = target.prefix { $0 != "?" }
        let combined: String
        switch reference.first {
        case "/": combined = reference
        case "?": combined = path + reference
        case "#", nil: combined = target
        default: combined = path[...(path.lastIndex(of: "/") ?? path.startIndex)] + reference
        }
        guard combined.utf8.count <= Self.ceiling else { throw .invalid("is longer than 8 kB") }
        return RemoteLocation(self, target: try Self.target(combined[...]))
    }

    /// The name of a host as locations spell it; nil if invalid.
    static func normalisedHost(_ text: String) -> String? {
        (try? hostAndPort(text[...])).flatMap { $0.port == nil ? $0.host : nil }
    }

    private static func hostAndPort(
        _ authority: Substring
    ) throws(FetchError) -> (host: String, port: UInt16?) {
        guard !authority.contains("@") else { throw .invalid("has user information") }
        var host = authority
        var portText: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else {
                throw .invalid("has no valid host")
            }
            host = authority[...end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw .invalid("has no valid host") }
            portText = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = authority.lastIndex(of: ":") {
            host = authority[..<colon]
            portText = authority[authority.index(after: colon)...]
        }
        var port: UInt16?
        if let portText, !portText.isEmpty {
            guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(portText), number > 0
            else { throw .invalid("has no valid port") }
            port = number
        }
        return (try name(host), port)
    }

    private static func name(_ host: Substring) throws(FetchError) -> String {
        if host.hasPrefix("[") {
            let inner = String(host.dropFirst().dropLast())
            guard let address = NetworkAddress(inner), !address.isIPv4 else {
                throw .invalid("has no valid host")
            }
            return "[\(address)]"
        }
        let text = String(host)
        guard let host = text.utf8.allSatisfy({ $0 < 0x80 }) ? text : InternationalName.ascii(text)
        else { throw .invalid("has no valid host") }
        // One full stop at the end makes a name absolute, and changes nothing else.
        let name = (host.hasSuffix(".") ? String(host.dropLast()) : host).lowercased()
        // RFC 1035, section 2.3.4; underscores are in use.
        guard 1...253 ~= name.utf8.count,
            name.utf8.allSatisfy({
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "-._".utf8.contains($0)
            }),
            !name.hasPrefix("."), !name.hasSuffix("."), !name.contains("..")
        else {
            throw .invalid("has no valid host")
        }
        return name
    }

    private static func target(_ text: Substring) throws(FetchError) -> String {
        var target = text.hasPrefix("/") ? "" : "/"
        for byte in text.utf8.prefix(while: { $0 != UInt8(ascii: "#") }) {
            switch byte {
            case 0..<0x20, 0x7F, UInt8(ascii: "\\"):
                throw .invalid("has a control character or a backslash")
            case 0x20, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"),
                UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"),
                UInt8(ascii: "}"), 0x80...:
                let digits = Array("0123456789ABCDEF")
                target += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: target.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return target
    }
}

extension FetchError {
    fileprivate static func invalid(_ fault: String) -> FetchError {
        FetchError(.invalidURL, reason: "the URL \(fault)")
    }
}
