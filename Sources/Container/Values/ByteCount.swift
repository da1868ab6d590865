/// A number of bytes.
///
/// In JSON it is a plain integer of at most 2⁵³. As text it may have a unit: `10MB` (10 × 1000²),
/// `12MiB` (12 × 1024²), `4096`.
public struct ByteCount: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The count, in bytes.
    public let bytes: Int

    /// Creates a count from a number of bytes.
    public init(_ bytes: Int) {
        self.bytes = bytes
    }

    /// Reads a count such as `12MiB`, `1.5 MB` or `4096`; nil if invalid, negative or too large.
    public init?(parsing text: String) {
        let compact = text.filter { !$0.isWhitespace }.lowercased()
        let digits = compact.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let unit = Self.units[String(compact.dropFirst(digits.count))],
            let number = Double(digits), number.isFinite
        else { return nil }
        let bytes = (number * Double(unit)).rounded()
        guard bytes >= 0, bytes < Double(Int.max) else { return nil }
        self.bytes = Int(bytes)
    }

    /// A count of decimal megabytes, of 1000 × 1000 bytes.
    public static func megabytes(_ count: Int) -> ByteCount { ByteCount(count * 1_000_000) }

    /// A count of binary mebibytes, of 1024 × 1024 bytes.
    public static func mebibytes(_ count: Int) -> ByteCount { ByteCount(count << 20) }

    /// True if the left count is smaller.
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

    /// The count in the largest decimal unit that keeps it at least 1, for example `3.4 MB`.
    public var description: String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes)
        var unit = 0
        while value >= 999.95, unit < Self.decimalNames.count - 1 {
            value /= 1000
            unit += 1
        }
        let tenths = Int((value * 10).rounded())
        let text =
            tenths >= 1000 || tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return "\(text) \(Self.decimalNames[unit])"
    }

    private static let decimalNames = ["B", "kB", "MB", "GB", "TB", "PB"]

    private static let units: [String: Int] = [
        "": 1, "b": 1,
        "k": 1_000, "kb": 1_000, "m": 1_000_000, "mb": 1_000_000,
        "g": 1_000_000_000, "gb": 1_000_000_000,
        "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
    ]
}

extension ByteCount: Codable {
    /// The largest encoded count: a thousand of them do not overflow, and every JSON reader
    /// represents integers up to here exactly (RFC 8259, section 6).
    private static let maximumEncoded = 1 << 53

    /// Decodes a plain integer from 0 to 2⁵³.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let bytes = try container.decode(Int.self)
        guard 0...Self.maximumEncoded ~= bytes else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "invalid number of bytes")
        }
        self.init(bytes)
    }

    /// Encodes a plain integer, clamped to 2⁵³.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(min(bytes, Self.maximumEncoded))
    }
}
