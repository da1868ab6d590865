public import Foundation

/// An HTTP request for a picture, with credentials if the server asks for some.
///
/// Cookies are neither sent nor kept, unless a header has them. A redirection gets headers and body only
/// within the origin of ``url``: the same scheme, host and port.
public struct PictureRequest: Sendable {
    /// The URL; `https`, or `http` if the settings allow it.
    public var url: URL
    /// The method.
    ///
    /// The default is `GET`.
    public var method: String
    /// The header fields, such as `Authorization`.
    ///
    /// The default is none.
    public var headers: [String: String]
    /// The body.
    ///
    /// The default is nil, no body.
    public var body: Data?
    /// True to ask again while the picture is not ready: after status 404, 409, 425 or 503, and while a JPEG
    /// has no end yet, which its server may still be writing.
    ///
    /// The default is true. `Retry-After` is the time until the next request; without it, pauses double
    /// from half a second to four seconds. The last request leaves time for the picture. The cost is
    /// time: a URL that is wrong for good delays its notification by some 20 of the stage's 25 seconds, and a
    /// JPEG that has not grown for three seconds by four. Set false where a picture is stored before its
    /// notification is sent; so it is for URLs of payloads, except Home Assistant's.
    public var waitsUntilReady: Bool

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - method: The method. The default is `GET`.
    ///   - headers: The header fields. The default is none.
    ///   - body: The body. The default is none.
    ///   - waitsUntilReady: True to ask again while the picture is not ready. The default is true.
    public init(
        _ url: URL, method: String = "GET", headers: [String: String] = [:], body: Data? = nil,
        waitsUntilReady: Bool = true
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.waitsUntilReady = waitsUntilReady
    }
}

extension PictureRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method, without URL, header fields and body, which may be private.
    public var description: String { "\(method) request with \(headers.count) header fields" }

    /// The same as the description.
    public var debugDescription: String { description }

    /// No children, so that no dump shows a token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PictureRequest {
    /// The request after a redirection; nil for a body that another origin must not get.
    ///
    /// `method` is the redirection's own, which may turn a POST into a GET.
    func redirected(to url: URL, method: String) -> PictureRequest? {
        var next = self
        next.url = url
        next.method = method
        if method == "GET" || method == "HEAD" { next.body = nil }
        if Origin(url) != Origin(self.url) {
            guard next.body == nil else { return nil }
            next.headers = [:]
        }
        return next
    }

    /// Faults that would let a value end its header field (RFC 9110, 5.5 and 5.6.2).
    func validate() throws(DownloadError) {
        let isToken = { (text: String) in
            !text.isEmpty
                && text.utf8.allSatisfy { byte in
                    byte > 32 && byte < 127 && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
                }
        }
        let isValid =
            isToken(method)
            && headers.allSatisfy { name, value in
                isToken(name) && value.utf8.allSatisfy { $0 >= 32 && $0 != 127 || $0 == 9 }
            }
        guard isValid else {
            throw DownloadError(
                .invalid, reason: "the method or a header field has a character it must not have")
        }
    }
}

/// Scheme, host and port of a URL (RFC 6454, 4).
struct Origin: Equatable {
    private let scheme: String?
    private let host: String?
    private let port: Int?

    init(_ url: URL) {
        scheme = url.scheme?.lowercased()
        host = url.host?.lowercased()
        port = url.port ?? (scheme == "https" ? 443 : scheme == "http" ? 80 : nil)
    }
}
