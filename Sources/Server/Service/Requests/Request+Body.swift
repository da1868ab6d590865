import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

extension HTTPField.Name {
    static let requestID = literal("x-request-id")
    static let deadline = literal("thimble-deadline")
    static let identifier = literal("thimble-identifier")
    static let category = literal("thimble-category")
    static let preset = literal("thimble-preset")
    static let outcome = literal("thimble-outcome")
    static let reason = literal("thimble-reason")
    static let reach = literal("thimble-reach")
    static let summary = literal("thimble-summary")
    static let pushType = literal("apns-push-type")
    static let noSniff = literal("x-content-type-options")

    static func literal(_ name: String) -> Self {
        // Valid: the names above are tokens (RFC 9110, section 5.6.2).
        guard let name = Self(name) else { preconditionFailure("invalid field name") }
        return name
    }
}

extension Request {
    /// The body, for which a client that sent `Expect: 100-continue` is asked.
    func openBody() -> RequestBody {
        if headers[.expect]?.lowercased() == "100-continue" { Connection.current?.requestBody() }
        return body
    }

    /// Refuses an announced length over the limit before a byte is read.
    func checkLength(_ limit: Int) throws(Problem) {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw .tooLarge(limit)
        }
    }

    /// Refuses a body that ended with the connection.
    func checkComplete() throws {
        if Connection.isGone { throw CancellationError() }
    }

    /// The whole body, counted against a limit.
    func collect(_ limit: Int) async throws -> [UInt8] {
        try checkLength(limit)
        var bytes: [UInt8] = []
        for try await part in openBody() {
            guard bytes.count + part.readableBytes <= limit else { throw Problem.tooLarge(limit) }
            bytes += part.readableBytesView
        }
        try checkComplete()
        return bytes
    }

    /// Identifier, category and presets of the head, percent-encoded UTF-8 (RFC 3986, section 2.1).
    func label() throws(Problem) -> AttachmentLabel {
        try AttachmentLabel(
            identifier: decoded(.identifier, "Thimble-Identifier"),
            category: decoded(.category, "Thimble-Category"),
            presets: AttachmentLabel.presets(headers[.preset])
        ).checked()
    }

    /// A percent-encoded field; nil if missing.
    private func decoded(
        _ field: HTTPField.Name, _ name: String
    ) throws(Problem) -> String? {
        guard let text = headers[field] else { return nil }
        guard text.unicodeScalars.allSatisfy({ $0 == "%" || $0.isUnreserved }),
            let decoded = text.removingPercentEncoding
        else { throw .invalid(name, "percent-encoded UTF-8") }
        return decoded
    }
}

extension Unicode.Scalar {
    /// True for characters that need no encoding in a URI (RFC 3986, section 2.3).
    fileprivate var isUnreserved: Bool {
        isASCII
            && (properties.isAlphabetic || properties.numericType != nil
                || ["-", ".", "_", "~"].contains(self))
    }
}
