public import AttachmentContainer

/// Footprint that a process must never reach; as text a number of bytes or a preset's name.
public struct MemoryCap: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
    /// The cap, in bytes of footprint.
    public let footprint: ByteCount

    /// Creates a cap in bytes of footprint.
    public init(_ footprint: ByteCount) { self.footprint = footprint }

    /// iOS limit of a service extension: 24 MiB (field reports of "ActiveHard 24 MB").
    public static let serviceExtension = MemoryCap(.mebibytes(24))
    /// iOS limit of a notification service extension on iPhone 5s to 7: 12 MiB.
    public static let legacyServiceExtension = MemoryCap(.mebibytes(12))

    /// Presets by name.
    public static let presets: [String: MemoryCap] = [
        "service-extension": .serviceExtension,
        "legacy-service-extension": .legacyServiceExtension,
    ]

    /// Parses a number of bytes or a preset's name, such as `24MB` or `service-extension`.
    public init?(parsing text: String) {
        if let preset = Self.presets[text] {
            self = preset
        } else if let footprint = ByteCount(parsing: text) {
            self.init(footprint)
        } else {
            return nil
        }
    }

    /// The cap, lowered to the limit that the system has for this process.
    ///
    /// `remaining` is ``Footprint/remaining()``, nil without a limit; `footprint` is the footprint at
    /// the same moment. Their sum is the limit. A process without a known footprint keeps its cap.
    public func lowered(toLimitOf footprint: ByteCount?, remaining: ByteCount?) -> MemoryCap {
        guard let footprint, let remaining else { return self }
        let (limit, overflow) = footprint.bytes.addingReportingOverflow(remaining.bytes)
        return overflow ? self : min(self, MemoryCap(ByteCount(limit)))
    }

    /// The cap, lowered to the limit that the system has for this process at this moment.
    public func loweredToLimit() -> MemoryCap {
        lowered(toLimitOf: Footprint.current(), remaining: Footprint.remaining())
    }

    /// True if the left cap is smaller.
    public static func < (left: Self, right: Self) -> Bool { left.footprint < right.footprint }

    /// Whole mebibytes if possible, otherwise megabytes.
    public var description: String {
        footprint.bytes % (1 << 20) == 0 ? "\(footprint.bytes >> 20) MiB" : "\(footprint)"
    }
}
