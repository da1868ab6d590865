import Foundation

/// The proxy that the environment names, with the spellings that curl(1) reads.
struct ProxyEnvironment: Sendable {
    private let proxies: [RemoteLocation.Scheme: String]
    private let exceptions: [String]

    /// Without any proxy.
    static let none = ProxyEnvironment(proxies: [:], exceptions: [])

    /// `HTTP_PROXY` is ignored: a CGI server sets it from a request's header.
    ///
    /// `value` reads a variable, by default of the environment.
    static func current(
        _ value: (String) -> String? = { getenv($0).map { String(cString: $0) } }
    ) -> ProxyEnvironment {
        func variable(_ names: [String]) -> String? {
            for name in names {
                if let text = value(name), !text.isEmpty { return text }
            }
            return nil
        }
        var proxies: [RemoteLocation.Scheme: String] = [:]
        let all = variable(["all_proxy", "ALL_PROXY"])
        proxies[.https] = variable(["https_proxy", "HTTPS_PROXY"]) ?? all
        proxies[.http] = variable(["http_proxy"]) ?? all
        let exceptions = (variable(["no_proxy", "NO_PROXY"]) ?? "")
            .split { $0 == "," || $0 == " " }.map { $0.lowercased() }
        return ProxyEnvironment(proxies: proxies, exceptions: exceptions)
    }

    private init(proxies: [RemoteLocation.Scheme: String], exceptions: [String]) {
        self.proxies = proxies
        self.exceptions = exceptions
    }

    /// The proxy for a location; nil for a direct connection.
    func proxy(for location: RemoteLocation) -> String? {
        let isExcepted = exceptions.contains { exception in
            let name = exception.drop { $0 == "." }
            return exception == "*" || location.host == name
                || location.host.hasSuffix(".\(name)")
        }
        return isExcepted ? nil : proxies[location.scheme]
    }

    /// Proxies and exceptions, to tell environments apart; they may contain passwords.
    var texts: [String] {
        proxies.map { "\($0.key.rawValue) \($0.value)" }.sorted() + exceptions.sorted()
    }

    /// Named ports, and the ports that libcurl assumes for a proxy without one.
    var ports: [UInt16] {
        proxies.values.flatMap { proxy -> [UInt16] in
            let authority = proxy.split(separator: "/").last { $0.utf8.contains(UInt8(ascii: ":")) }
            let port = authority?.split(separator: ":").last.flatMap { UInt16($0) }
            return port.map { [$0] } ?? [1080, 443]
        }
    }
}
