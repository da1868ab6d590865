public import AttachmentContainer

/// Presets whose renditions are made from one decoding; as text their names, separated by commas.
///
/// Order and repetitions do not matter. ``Preset/content`` includes ``Preset/banner``.
public struct PresetSelection: Sendable, Hashable {
    /// The presets, each once, in the order of their renditions; empty is invalid.
    public let presets: [Preset]

    /// Selects presets; none is invalid, which `ProcessingSettings.validate()` reports.
    public init(_ presets: some Sequence<Preset>) {
        let chosen = Array(presets)
        self.presets = Preset.allCases.filter { preset in
            chosen.contains(preset) && !(preset == .banner && chosen.contains(.content))
        }
    }

    /// The renditions of a content extension, the default.
    public static let content: PresetSelection = [.content]

    /// Parses names separated by commas, such as `content,avatar`; nil if one is unknown.
    public init?(parsing text: String) {
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        let presets = names.compactMap { name in Preset(rawValue: name.filter { $0 != " " }) }
        guard !presets.isEmpty, presets.count == names.count else { return nil }
        self.init(presets)
    }

    /// True if `expanded` and `banner` are among the renditions.
    public var includesContent: Bool { presets.contains(.content) }

    /// True if `banner` is among the renditions.
    package var includesBanner: Bool { includesContent || presets.contains(.banner) }

    /// Presets with a surface of their own.
    package var surfaces: [(preset: Preset, surface: Surface)] {
        presets.compactMap { preset in preset.surface.map { (preset, $0) } }
    }

    /// Roles of the renditions of a still, in their order.
    public var roles: [RenditionRole] {
        presets.flatMap { $0 == .content ? [.expanded, .banner] : [$0.role] }
    }

    /// Output files of an attachment: a GIF beside the stills.
    package var outputs: Int { roles.count + (includesContent ? 1 : 0) }
}

extension PresetSelection: ExpressibleByArrayLiteral {
    /// Selects presets.
    public init(arrayLiteral presets: Preset...) { self.init(presets) }
}

extension PresetSelection: CustomStringConvertible {
    /// The names, separated by commas.
    public var description: String { presets.map(\.rawValue).joined(separator: ",") }
}

extension PresetSelection: Codable {
    /// Decodes the names as one text, which takes a worker less memory than an array.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let selection = Self(parsing: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' does not name presets")
        }
        self = selection
    }

    /// Encodes the names as one text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
