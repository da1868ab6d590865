/// Problems of requests, before any work.
extension Problem {
    static let tooManyConnections = Problem(
        429, "too-many-connections", "Too many connections",
        detail: "the service has no room for another connection",
        remedy: "close idle connections, and try again later", fields: [("retry-after", "1")])
    static let malformed = Problem(
        400, "malformed-request", "Malformed request",
        detail: "the request violates HTTP/1.1", remedy: "use an HTTP client library")
    static let headTooLarge = Problem(
        431, "head-too-large", "Request head too large",
        detail: "the request's target and fields are over the limit",
        remedy: "send fewer and shorter fields")
    static let bodyTimeout = Problem(
        408, "body-timeout", "Request timeout",
        detail: "the request's body did not arrive in time",
        remedy: "send it without pauses, or ask for more time with Thimble-Deadline")
    static let notFound = Problem(
        404, "not-found", "Not found", detail: "there is nothing at this path",
        remedy: "see /openapi.json for the paths")
    static let internalError = Problem(
        500, "internal", "Internal error", detail: "the request failed unexpectedly",
        remedy: "try again, and report the request's id with the log")
    static let cancelled = Problem(
        499, "cancelled", "Cancelled", detail: "the client closed the connection",
        remedy: "wait for the answer")
    static let draining = Problem(
        503, "draining", "Shutting down", detail: "the service is about to stop",
        remedy: "use another instance", fields: [("retry-after", "1"), ("connection", "close")])
    static let unauthorised = Problem(
        401, "unauthorised", "Unauthorised", detail: "the request has no valid bearer token",
        remedy: "send Authorization: Bearer with a token of the service's token file",
        fields: [("www-authenticate", #"Bearer realm="thimble""#)])

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        Problem(
            405, "method-not-allowed", "Method not allowed",
            detail: "the path does not support this method",
            remedy: "use \(allowed.joined(separator: " or "))",
            fields: [("allow", allowed.joined(separator: ", "))])
    }

    static func unsupportedType(_ types: String...) -> Problem {
        Problem(
            415, "unsupported-media-type", "Unsupported media type",
            detail: "the body's content type is missing or not supported here",
            remedy: "send \(types.joined(separator: ", or "))",
            fields: [("accept", types.joined(separator: ", "))])
    }

    static func invalid(_ field: String, _ range: String) -> Problem {
        Problem(
            400, "invalid-request", "Invalid request", detail: "\(field) must be \(range)",
            remedy: "change the request's \(field)")
    }

    /// The connection ends, because the rest of the body is not read.
    static func tooLarge(_ limit: Int) -> Problem {
        Problem(
            413, "too-large", "Content too large", detail: "the body has more than \(limit) bytes",
            remedy: "send a smaller one, or raise the limit of the service",
            fields: [("connection", "close")])
    }

    static func overloaded(retryAfter seconds: Int) -> Problem {
        Problem(
            429, "overloaded", "Too many requests", detail: "the service's queue is full",
            remedy: "try again after the time in Retry-After",
            fields: [("retry-after", "\(max(1, seconds))")])
    }

    static func incomplete(_ what: String) -> Problem {
        Problem(
            400, "incomplete-body", "Incomplete body", detail: "the body ends before \(what)",
            remedy: "send the whole body")
    }
}
