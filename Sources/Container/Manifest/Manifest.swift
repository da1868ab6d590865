public import Foundation

/// The facts that a content extension needs about a notification's attachment, without opening a
/// picture.
///
/// The file is JSON with sorted keys, ISO 8601 dates in whole seconds and hexadecimal digests.
/// Readers ignore unknown fields.
public struct Manifest: Sendable, Equatable, Codable {
    /// The format version of the manifest.
    public private(set) var formatVersion = FormatVersion.current
    /// The notification's identifier, which is private: show or log `key` instead.
    public private(set) var identifier: String
    /// The notification's category, if any.
    public private(set) var category: String?
    /// The time of processing, in whole seconds.
    public private(set) var created: Date
    /// Facts about the attachment.
    public let source: Source
    /// A fingerprint of the settings used.
    public let settings: String
    /// The pictures made from the attachment, and the attachment itself if it is sound or a movie.
    public let renditions: [Rendition]
    /// Height divided by width of the expanded rendition or the movie; 0 if unknown, for sound, and
    /// without an expanded rendition.
    public let contentSizeRatio: Double
    /// A blurred placeholder, to show before the picture; plain grey without a picture.
    public let placeholder: ThumbHash
    /// The average colour of the picture; grey without a picture.
    public let averageColour: Colour
    /// The rung of the ladder used for the attachment.
    public let rung: String
    /// The engine that made the picture, `rows` or `libvips`; nil if unknown, and without a picture.
    public let engine: String?
    /// The predicted peak footprint; nil if unknown.
    public let predictedPeak: ByteCount?
    /// The measured peak footprint; nil if unknown.
    public let measuredPeak: ByteCount?
    /// Notes for the user, for example `reduced for the memory cap`.
    public private(set) var notes: [String]
    /// The telling moment: seconds from the start of a movie, or the number of the GIF's frame from 0,
    /// as the system's option for the thumbnail takes it; nil for a still and for sound, or if unknown.
    public let thumbnailTime: Double?

    /// Creates a manifest in the current format; `created` is truncated to whole seconds.
    public init(
        identifier: String, category: String? = nil, created: Date = Date(), source: Source,
        settings: String, renditions: [Rendition], contentSizeRatio: Double,
        placeholder: ThumbHash, averageColour: Colour, rung: String, engine: String? = nil,
        predictedPeak: ByteCount? = nil, measuredPeak: ByteCount? = nil, notes: [String] = [],
        thumbnailTime: Double? = nil
    ) {
        self.identifier = identifier
        self.category = category
        self.created = Self.wholeSeconds(created)
        self.source = source
        self.settings = settings
        self.renditions = renditions
        self.contentSizeRatio = contentSizeRatio
        self.placeholder = placeholder
        self.averageColour = averageColour
        self.rung = rung
        self.engine = engine
        self.predictedPeak = predictedPeak
        self.measuredPeak = measuredPeak
        self.notes = notes
        self.thumbnailTime = thumbnailTime
    }

    /// A copy in the current format for another notification; `created` is cut to seconds.
    public func readdressed(
        to identifier: String, category: String? = nil, created: Date = Date()
    ) -> Manifest {
        var copy = self
        copy.formatVersion = .current
        copy.identifier = identifier
        copy.category = category
        copy.created = Self.wholeSeconds(created)
        return copy
    }

    /// The identifier of the manifest that all notifications with a picture share: 32 digits of the
    /// digest of its bytes and 8 of the fingerprint of the settings, such as
    /// `9f86d081884c7d659a2feaa0c55ad015-2c26b46b`.
    public static func identifier(ofSource digest: ContentDigest, settings: String) -> String {
        "\(digest.rawValue.prefix(32))-\(settings.prefix(8))"
    }

    package func noting(_ notes: [String]) -> Manifest {
        var copy = self
        copy.formatVersion = .current
        copy.notes = notes
        return copy
    }

    /// The main rendition, which the system attaches: the sound, movie or animation if there is one,
    /// else the picture; without one of them, the first for another surface.
    package var attachment: Rendition? {
        rendition(.media) ?? rendition(.attachment) ?? rendition(.expanded) ?? renditions.first
    }

    /// Renditions that devices get by URL, the main one first.
    ///
    /// They are all of them once there are some for surfaces beside the content extension, which gets
    /// its banner with the container.
    public var published: [Rendition] {
        guard let attachment else { return [] }
        let content: Set<RenditionRole> = [.attachment, .banner, .expanded, .media]
        let isContent =
            attachment.role != .banner && renditions.allSatisfy { content.contains($0.role) }
        return [attachment] + (isContent ? [] : renditions.filter { $0 != attachment })
    }

    /// True for a picture, and for sound or a movie with one.
    package var hasPicture: Bool { renditions.contains { $0.role != .media } }

    /// True if a content extension has a picture to show.
    package var hasContent: Bool { renditions.contains { [.expanded, .banner].contains($0.role) } }

    /// The digest of the identifier: the manifest's name in the container.
    public var key: ContentDigest { ContentDigest(of: identifier) }

    /// The first rendition with a role; nil if missing.
    public func rendition(_ role: RenditionRole) -> Rendition? {
        renditions.first { $0.role == role }
    }

    private static func wholeSeconds(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }
}

extension Manifest {
    /// Decodes a manifest and checks its numbers, so that later arithmetic cannot overflow.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        formatVersion = try fields.decode(FormatVersion.self, forKey: .formatVersion)
        identifier = try fields.decode(String.self, forKey: .identifier)
        category = try fields.decodeIfPresent(String.self, forKey: .category)
        created = try fields.decode(Date.self, forKey: .created)
        source = try fields.decode(Source.self, forKey: .source)
        settings = try fields.decode(String.self, forKey: .settings)
        renditions = try fields.decode([Rendition].self, forKey: .renditions)
        contentSizeRatio = try fields.decode(Double.self, forKey: .contentSizeRatio)
        placeholder = try fields.decode(ThumbHash.self, forKey: .placeholder)
        averageColour = try fields.decode(Colour.self, forKey: .averageColour)
        rung = try fields.decode(String.self, forKey: .rung)
        engine = try fields.decodeIfPresent(String.self, forKey: .engine)
        predictedPeak = try fields.decodeIfPresent(ByteCount.self, forKey: .predictedPeak)
        measuredPeak = try fields.decodeIfPresent(ByteCount.self, forKey: .measuredPeak)
        notes = try fields.decode([String].self, forKey: .notes)
        thumbnailTime = try fields.decodeIfPresent(Double.self, forKey: .thumbnailTime)
        // `Rendition` checks the durations.
        guard hasCredibleRatio else {
            throw DecodingError.dataCorruptedError(
                forKey: .contentSizeRatio, in: fields, debugDescription: "ratio out of range")
        }
        guard hasCredibleThumbnailTime else {
            throw DecodingError.dataCorruptedError(
                forKey: .thumbnailTime, in: fields, debugDescription: "moment out of range")
        }
    }
}

extension Manifest: CustomStringConvertible {
    /// The key and the renditions, without the identifier.
    public var description: String {
        "\(key): \(renditions.map { "\($0.role.rawValue) \($0.size)" }.joined(separator: ", "))"
    }
}
