/// The version of the container's or a manifest's format, such as `1.0`.
///
/// A higher minor version only adds fields, which older readers ignore. Readers refuse an unknown
/// major version.
public struct FormatVersion: Hashable, Sendable, Codable, RawRepresentable {
    /// Incremented when older readers would misread the format.
    public let major: Int
    /// Incremented when fields are added.
    public let minor: Int

    /// Creates a version from its numbers.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Parses two numbers separated by a full stop; nil for anything else.
    public init?(rawValue: String) {
        let numbers = rawValue.split(separator: ".", omittingEmptySubsequences: false)
            .map { UInt16($0) }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return nil }
        self.init(major: Int(major), minor: Int(minor))
    }

    /// The version that this release writes.
    public static let current = FormatVersion(major: 1, minor: 0)

    /// True if this release can read the format.
    public var isReadable: Bool { major == Self.current.major }

    /// The two numbers separated by a full stop.
    public var rawValue: String { "\(major).\(minor)" }
}

extension FormatVersion: CustomStringConvertible {
    /// The two numbers separated by a full stop.
    public var description: String { rawValue }
}
