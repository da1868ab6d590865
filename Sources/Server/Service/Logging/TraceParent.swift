import HTTPTypes

/// The field `traceparent` of a request, which names the client's trace.
///
/// [W3C Trace Context](https://www.w3.org/TR/trace-context/#traceparent-header), section 3.2.
struct TraceParent: Sendable, Equatable, CustomStringConvertible {
    let description: String

    /// Nil for a field that is not of version 00, which is ignored as the specification asks.
    init?(_ field: String?) {
        guard let field,
            let match = field.wholeMatch(of: /00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/),
            match.1.contains(where: { $0 != "0" }), match.2.contains(where: { $0 != "0" })
        else { return nil }
        description = field
    }
}

extension HTTPField.Name {
    static let traceParent = literal("traceparent")
}
