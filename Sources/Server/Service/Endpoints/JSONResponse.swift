import AttachmentContainer
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// A JSON answer that is not stored by caches; with `eTag`, it can be revalidated.
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, for request: Request,
        eTag: Bool = false
    ) throws -> Response {
        let bytes = [UInt8](try JSONEncoder.service.encode(value))
        return json(bytes: bytes, status: status, for: request, eTag: eTag)
    }

    static func json(
        bytes: [UInt8], status: HTTPResponse.Status = .ok, for request: Request, eTag: Bool = false
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: eTag ? "no-cache" : "no-store",
            .noSniff: "nosniff",
        ]
        if eTag {
            let tag = "\"\(ContentDigest(of: bytes).rawValue.prefix(32))\""
            headers[.eTag] = tag
            if EntityTags.match(request.headers[.ifNoneMatch], tag) {
                return Response(status: .notModified, headers: headers)
            }
        }
        headers[.contentLength] = "\(bytes.count)"
        return Response(
            status: status, headers: headers,
            body: request.method == .head
                ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// Conditions on entity tags (RFC 9110, section 13.1).
enum EntityTags {
    /// True if the list of `If-None-Match` has the tag, by weak comparison.
    static func match(_ list: String?, _ tag: String) -> Bool {
        guard let list else { return false }
        return list.split(separator: ",").contains { item in
            let item = item.trimming(" \t")
            return item == "*" || item == tag || item == "W/" + tag
        }
    }
}
