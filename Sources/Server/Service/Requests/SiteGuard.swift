import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceOptions

/// Refuses requests that browsers make for other sites.
///
/// Where no token is needed, any page in the browser of a user who can reach the service could send it
/// requests, and read the answers under a name that it points at the service (DNS rebinding).
struct SiteGuard: RouterMiddleware {
    /// Names of the service in lower case, besides addresses and `localhost`.
    let names: [String]

    init(_ configuration: ServiceConfiguration) {
        // Phones ask for renditions under the public name.
        let publicName = URL(string: configuration.publishing.url)?.host()
        names = (configuration.serverName + [configuration.host, publicName ?? ""])
            .map { $0.lowercased() }
    }

    @concurrent
    func handle(
        _ request: Request, context: ServiceContext,
        next: @concurrent (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        // Only HTTP/1.0 has none, which no browser sends.
        if let authority = request.head.authority, !accepts(authority) { throw Problem.unknownHost }
        guard isOwn(request) else { throw Problem.otherSite }
        return try await next(request, context)
    }

    /// True if clients may reach the service by this value of `Host`.
    ///
    /// No site can point an address elsewhere.
    private func accepts(_ authority: String) -> Bool {
        let host = Self.host(of: authority).lowercased()
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        return host == "localhost" || isAddress || names.contains(host)
    }

    /// False for a request that a browser makes for another site; such fields cannot be changed by scripts.
    private func isOwn(_ request: Request) -> Bool {
        if let origin = request.headers[.origin], let authority = request.head.authority,
            origin != "http://\(authority)", origin != "https://\(authority)"
        {
            return false
        }
        guard let site = request.headers[.fetchSite] else { return true }
        // A link of another site may lead here, and its site does not see the answer
        // (W3C Fetch Metadata Request Headers, section 4.1).
        let isLink =
            request.method == .get && request.headers[.fetchMode] == "navigate"
            && request.headers[.fetchDestination] == "document"
        return ["same-origin", "none"].contains(site) || isLink
    }

    /// The host without port and brackets.
    private static func host(of authority: String) -> String {
        if authority.hasPrefix("[") {
            return String(authority.dropFirst().prefix { $0 != "]" })
        }
        return String(authority.prefix { $0 != ":" })
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = literal("sec-fetch-site")
    fileprivate static let fetchMode = literal("sec-fetch-mode")
    fileprivate static let fetchDestination = literal("sec-fetch-dest")
}

extension Problem {
    fileprivate static let unknownHost = Problem(
        421, "unknown-host", "Unknown host",
        detail: "the service is not served under this name",
        remedy: "use its address or localhost, or add the name to server-name")
    static let otherSite = Problem(
        403, "other-site", "Request of another site",
        detail: "a browser made the request for another site",
        remedy: "send it from a program, or from the service's own page")
}
