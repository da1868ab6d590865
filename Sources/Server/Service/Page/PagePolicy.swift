import HTTPTypes

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
}
