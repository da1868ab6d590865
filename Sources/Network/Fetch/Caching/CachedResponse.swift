import AttachmentContainer
import Foundation

/// Description of a fetched file in the cache.
struct CachedResponse: Sendable, Hashable, Codable {
    private static let version = 1

    private var version = Self.version
    /// Digest of the URL that the file came from, after redirections.
    let source: ContentDigest
    let body: ContentDigest
    let bytes: ByteCount
    let mediaType: String?
    let entityTag: String?
    let lastModified: String?
    /// Headers that stay in force if a confirmation does not repeat them.
    let cacheHeaders: [String: String]
    var freshness: Freshness

    init(
        source: RemoteLocation, body: ContentDigest, bytes: ByteCount, headers: [String: String],
        freshness: Freshness
    ) {
        self.source = ContentDigest(of: source.text)
        self.body = body
        self.bytes = bytes
        mediaType = headers["content-type"]
        entityTag = headers["etag"]
        lastModified = headers["last-modified"]
        cacheHeaders = headers.filter { ["cache-control", "expires", "vary"].contains($0.key) }
        self.freshness = freshness
    }

    /// Headers of a conditional request; empty if the response cannot be revalidated.
    var conditions: [String: String] {
        var conditions: [String: String] = [:]
        conditions["If-None-Match"] = entityTag
        // A server ignores it beside an entity tag (RFC 9110, section 13.1.3).
        if entityTag == nil { conditions["If-Modified-Since"] = lastModified }
        return conditions
    }

    static func decode(_ bytes: Data) -> CachedResponse? {
        guard let response = try? JSONDecoder().decode(CachedResponse.self, from: bytes),
            response.version == version,
            // Validators are sent back, and a damaged file must not add other headers.
            response.conditions.values.allSatisfy({ FetchHeaders.isFieldValue($0) })
        else { return nil }
        return response
    }

    func encoded() -> Data? { try? JSONEncoder().encode(self) }
}
