/// A JSON number with its spelling.
///
/// Numbers are equal when their spellings are: `1`, `1.0` and `1e0` differ. A payload must survive
/// a round trip unchanged.
public struct JSONNumber: Sendable, Hashable {
    /// The spelling, such as `1.0` or `12345678901234567890`.
    public let spelling: String

    /// Creates a number from its spelling; nil if that is not a JSON number.
    ///
    /// - Parameter spelling: The spelling, without white space.
    public init?(spelling: String) {
        var parser = JSONParser(Array(spelling.utf8), limits: JSONLimits())
        guard (try? parser.number()) != nil, parser.peek == nil else { return nil }
        self.spelling = spelling
    }

    /// Creates a number from an integer.
    public init(_ value: Int) {
        spelling = String(value)
    }

    /// Creates a number from a finite value, with the shortest exact spelling; nil for others.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        spelling = value.description
    }

    init(accepted spelling: String) {
        self.spelling = spelling
    }

    /// The nearest `Double`; nil if out of range.
    public var double: Double? {
        Double(spelling).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The value if it is a whole number, in any spelling; nil otherwise.
    public var integer: Int? {
        // Above 2⁵³, `Double` cannot represent every integer (IEEE 754).
        Int(spelling) ?? double.flatMap { abs($0) <= 0x1p53 ? Int(exactly: $0) : nil }
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The kind, without the private value.
    public var description: String { "number" }
}
