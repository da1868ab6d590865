/// The version of the container's or of a manifest's format, such as `1.0`.
///
/// A higher minor version only adds fields, which older readers pass over. A reader refuses a major
/// version that it does not know.
public struct FormatVersion: Hashable, Sendable, Codable, RawRepresentable {
    /// Raised when older readers would misunderstand the format.
    public let major: Int
    /// Raised when fields are added.
    public let minor: Int

    /// Makes a version from its numbers.
    ///
    /// - Parameters:
    ///   - major: Raised when older readers would misunderstand the format.
    ///   - minor: Raised when fields are added.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// Reads two numbers with a full stop between them; nil for anything else.
    ///
    /// - Parameter rawValue: A text such as `1.0`.
    public init?(rawValue: String) {
        let numbers = rawValue.split(separator: ".", omittingEmptySubsequences: false)
            .map { UInt16($0) }
        guard numbers.count == 2, let major = numbers[0], let minor = numbers[1] else { return nil }
        self.init(major: Int(major), minor: Int(minor))
    }

    /// The version that this release writes.
    public static let current = FormatVersion(major: 1, minor: 0)

    /// Whether this release understands the format.
    public var isReadable: Bool { major == Self.current.major }

    /// The two numbers with a full stop between them.
    public var rawValue: String { "\(major).\(minor)" }
}

extension FormatVersion: CustomStringConvertible {
    /// The two numbers with a full stop between them.
    public var description: String { rawValue }
}
