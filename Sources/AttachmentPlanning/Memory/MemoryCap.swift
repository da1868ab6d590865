public import AttachmentContainer

/// The footprint that the processing process must never reach.
///
/// As text it is a number of bytes, such as `24MB` or `12MiB`, or the name of a preset.
public struct MemoryCap: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// The cap, in bytes of footprint.
    public let footprint: ByteCount

    /// Makes a cap.
    ///
    /// - Parameter footprint: The cap, in bytes of footprint.
    public init(_ footprint: ByteCount) { self.footprint = footprint }

    /// What iOS grants a notification service extension: 24 MiB (field reports; the kernel's
    /// message is "ActiveHard 24 MB").
    public static let serviceExtension = MemoryCap(.mebibytes(24))
    /// What it grants on phones of the iPhone 5s to 7 era: 12 MiB.
    public static let legacyServiceExtension = MemoryCap(.mebibytes(12))

    /// The presets by name.
    public static let presets: [String: MemoryCap] = [
        "service-extension": .serviceExtension,
        "legacy-service-extension": .legacyServiceExtension,
    ]

    /// Reads a number of bytes or the name of a preset; nil for anything else.
    ///
    /// - Parameter text: For example `24MB`, `12MiB` or `service-extension`.
    public init?(parsing text: String) {
        if let preset = Self.presets[text] {
            self = preset
        } else if let footprint = ByteCount(parsing: text) {
            self.init(footprint)
        } else {
            return nil
        }
    }

    /// Orders caps by their bytes.
    ///
    /// - Parameters:
    ///   - left: One cap.
    ///   - right: Another.
    /// - Returns: Whether `left` is the smaller.
    public static func < (left: Self, right: Self) -> Bool { left.footprint < right.footprint }

    /// The cap in mebibytes if they are whole, else in megabytes.
    public var description: String {
        footprint.bytes % (1 << 20) == 0 ? "\(footprint.bytes >> 20) MiB" : "\(footprint)"
    }
}
