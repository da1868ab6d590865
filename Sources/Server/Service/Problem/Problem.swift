import AttachmentContainer
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A request that is not served, as problem details (RFC 9457) with a code and a remedy.
///
/// The texts contain no identifier, text, path or query of the request, except unknown names.
struct Problem: Error, Sendable {
    /// HTTP status.
    let status: Int
    /// Kind of problem, stable across releases; the last part of the type URI.
    let code: String
    /// The kind, for people.
    let title: String
    /// Description of this occurrence, without a full stop.
    let detail: String
    /// Action for the caller, without a full stop.
    let remedy: String
    /// The code in metrics, whose number is bounded also if a fleet makes codes up.
    var label: String
    /// The part of the product that failed; nil for the request itself.
    var domain: Fault.Domain?
    /// The location of an attachment at fault, without private parts; nil without one.
    var location: String?
    /// Response fields besides the content type, such as `Retry-After`.
    var extraFields: [(String, String)] = []

    init(
        _ status: Int, _ code: String, _ title: String, detail: String, remedy: String,
        fields: [(String, String)] = []
    ) {
        self.status = status
        self.code = code
        label = code
        self.title = title
        self.detail = detail
        self.remedy = remedy
        extraFields = fields
    }

    init(
        _ status: Int, _ title: String, _ fault: Fault, fields: [(String, String)] = []
    ) {
        self.init(
            status, fault.code, title, detail: fault.reason, remedy: fault.remedy, fields: fields)
        domain = fault.domain
    }

    /// Fields of the response, the content type among them.
    var fields: [(String, String)] {
        [
            ("content-type", "application/problem+json"), ("cache-control", "no-store"),
            ("x-content-type-options", "nosniff"),
        ] + extraFields
    }

    private struct Document: Encodable {
        let type: String
        let title: String
        let status: Int
        let detail: String
        let code: String
        let domain: Fault.Domain?
        let remedy: String
        let requestId: String?
        let location: String?
    }

    func json(requestID: String?) -> [UInt8] {
        let document = Document(
            type: "urn:thimble:problem:\(code)", title: title, status: status, detail: detail,
            code: code, domain: domain, remedy: remedy, requestId: requestID, location: location)
        // Strings and integers always encode.
        return [UInt8]((try? JSONEncoder.service.encode(document)) ?? Data())
    }

    func response(requestID: String?, isHead: Bool) -> Response {
        var headers = HTTPFields()
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        let body = json(requestID: requestID)
        headers[.contentLength] = "\(body.count)"
        return Response(
            status: .init(code: status), headers: headers,
            body: isHead ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

extension JSONEncoder {
    /// One line, sorted keys and ISO 8601 dates, as in manifests.
    static var service: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return encoder
    }
}
