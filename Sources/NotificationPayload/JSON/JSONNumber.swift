/// A number as JSON spells it.
///
/// Numbers are equal when their spellings are: `1`, `1.0` and `1e0` are three numbers here, since a
/// payload that comes back must be the one that went in.
public struct JSONNumber: Sendable, Hashable {
    /// The spelling, such as `1.0` or `12345678901234567890`.
    public let spelling: String

    /// Takes a spelling; nil when it is no number of JSON.
    ///
    /// - Parameter spelling: The spelling, without white space.
    public init?(spelling: String) {
        var parser = JSONParser(Array(spelling.utf8), limits: JSONLimits())
        guard (try? parser.number()) != nil, parser.peek == nil else { return nil }
        self.spelling = spelling
    }

    /// Spells an integer.
    ///
    /// - Parameter value: The integer.
    public init(_ value: Int) {
        spelling = String(value)
    }

    /// Spells a finite number as shortly as it can be read back; nil for any other.
    ///
    /// - Parameter value: The number.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        spelling = value.description
    }

    /// Takes a spelling that the parser accepted.
    init(accepted spelling: String) {
        self.spelling = spelling
    }

    /// The number, rounded to the next one that the type holds; nil when it is beyond all of them.
    public var double: Double? {
        Double(spelling).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The number where it is whole, however it is spelled; nil for any other.
    public var integer: Int? {
        // Above 2⁵³ a double no longer tells one integer from the next (IEEE 754).
        Int(spelling) ?? double.flatMap { abs($0) <= 0x1p53 ? Int(exactly: $0) : nil }
    }
}

extension JSONNumber: CustomStringConvertible {
    /// What it is, without the number, which is private.
    public var description: String { "number" }
}
