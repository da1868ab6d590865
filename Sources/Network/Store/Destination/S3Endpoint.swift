import Foundation

/// The server of a store: scheme, host and port, without a path.
struct S3Endpoint: Sendable, Hashable {
    let scheme: String
    /// In lowercase; an IPv6 address has brackets.
    let host: String
    /// Nil for the scheme's own.
    let explicitPort: UInt16?

    /// Reads `https://HOST[:PORT]`, or `http` where the operator writes it.
    init(_ text: String) throws(StoreError) {
        let fault = StoreError(.invalidDestination, reason: "the endpoint is no URL of a server")
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(),
            ["https", "http"].contains(scheme), let host = url.host?.lowercased(), !host.isEmpty,
            ["", "/"].contains(url.path), url.query == nil, url.fragment == nil, url.user == nil,
            url.password == nil, host.utf8.allSatisfy(Self.isAllowed)
        else { throw fault }
        if let port = url.port {
            guard let port = UInt16(exactly: port), port > 0 else { throw fault }
            explicitPort = port
        } else {
            explicitPort = nil
        }
        self.scheme = scheme
        self.host = host.contains(":" as Character) && !host.hasPrefix("[") ? "[\(host)]" : host
    }

    private static func isAllowed(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._[]:".utf8.contains(character)
        }
    }

    var port: UInt16 { explicitPort ?? (scheme == "https" ? 443 : 80) }

    var authority: String { explicitPort.map { "\(host):\($0)" } ?? host }

    var text: String { "\(scheme)://\(authority)" }

    /// True for hosts below which no name of a bucket can be added.
    var isAddress: Bool {
        host.hasPrefix("[") || host == "localhost"
            || host.split(separator: ".").last.map { $0.allSatisfy(\.isNumber) } == true
    }
}
