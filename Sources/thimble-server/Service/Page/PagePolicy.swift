import Foundation
import HTTPTypes
import Hummingbird

/// The protection of the page against other sites.
enum PagePolicy {
    /// Only files of this service, and pictures that the page makes; no markup from text.
    private static let content = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
        "media-src blob:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
        "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ].joined(separator: "; ")

    private static let fields: [(String, String)] = [
        ("content-security-policy", content), ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ]

    static func add(to headers: inout HTTPFields) {
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
    }

    /// True if browsers may reach the page by this value of `Host`.
    ///
    /// A site can point a name of its own at this machine, and its scripts would then share the page's
    /// origin. Addresses cannot be pointed elsewhere.
    static func accepts(host authority: String, names: [String]) -> Bool {
        let host = name(of: authority).lowercased()
        return host == "localhost" || isAddress(host) || names.contains(host)
    }

    /// The host without port and brackets.
    private static func name(of authority: String) -> String {
        if authority.hasPrefix("[") {
            return String(authority.dropFirst().prefix { $0 != "]" })
        }
        return String(authority.prefix { $0 != ":" })
    }

    private static func isAddress(_ host: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
    }
}

/// Refuses requests to the page that other sites make.
struct PageGuard: RouterMiddleware {
    /// Accepted names of hosts.
    let names: [String]

    @concurrent
    func handle(
        _ request: Request, context: ServiceContext,
        next: @concurrent (Request, ServiceContext) async throws -> Response
    ) async throws -> Response {
        guard let authority = request.head.authority,
            PagePolicy.accepts(host: authority, names: names)
        else { throw Problem.unknownHost }
        if request.method == .post {
            // Browsers send these fields, and scripts cannot change them. The last one is of the page's
            // own, and no form can send it.
            if let site = request.headers[.fetchSite], site != "same-origin" {
                throw Problem.otherSite
            }
            if let origin = request.headers[.origin],
                origin != "http://\(authority)", origin != "https://\(authority)"
            {
                throw Problem.otherSite
            }
            guard request.headers[.page] == "1" else { throw Problem.otherSite }
        }
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    fileprivate static let fetchSite = literal("sec-fetch-site")
    fileprivate static let page = literal("thimble-page")
}

extension Problem {
    fileprivate static let unknownHost = Problem(
        421, "unknown-host", "Unknown host",
        detail: "the page is not served under this name",
        remedy: "use the address or localhost, or add the name to page-host")
    fileprivate static let otherSite = Problem(
        403, "other-site", "Request of another site",
        detail: "only the page itself may start trials",
        remedy: "use /v1/attachments or /v1/stage in programs")
}
