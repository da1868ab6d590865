public import Foundation

/// All that a content extension must know of one notification's attachment, without opening a
/// picture.
///
/// In the container it is JSON for people to read: keys in order, dates as ISO 8601 in whole
/// seconds, digests as hexadecimal digits. Readers pass over fields that they do not know.
public struct Manifest: Sendable, Equatable, Codable {
    /// The version of the format that the manifest was written in.
    public private(set) var formatVersion = FormatVersion.current
    /// The notification's identifier.
    ///
    /// It is private: show or log `key` in its place.
    public private(set) var identifier: String
    /// The notification's category, where it has one.
    public private(set) var category: String?
    /// When the attachment was processed, in whole seconds.
    public private(set) var created: Date
    /// What the attachment was.
    public let source: Source
    /// A fingerprint of the settings that the attachment was processed with.
    public let settings: String
    /// The pictures made from the attachment, and the attachment itself where it is sound or a movie.
    public let renditions: [Rendition]
    /// Height divided by width of the expanded rendition: what a content extension gives the system
    /// as its initial content-size ratio.
    ///
    /// Without such a rendition it is the movie's, and 0 where nothing is known to be seen.
    public let contentSizeRatio: Double
    /// A blurred likeness, to be shown until the picture is; plain grey where there is no picture.
    public let placeholder: ThumbHash
    /// The average colour of the picture; grey where there is none.
    public let averageColour: Colour
    /// The rung of the ladder that the attachment was processed on.
    public let rung: String
    /// The peak footprint that the plan predicted; nil when unknown.
    public let predictedPeak: ByteCount?
    /// The peak footprint that was measured; nil when unknown.
    public let measuredPeak: ByteCount?
    /// What a person should know of the renditions, for example `reduced for the memory cap`.
    public private(set) var notes: [String]

    /// Makes a manifest in the current format.
    ///
    /// - Parameters:
    ///   - identifier: The notification's identifier.
    ///   - category: The notification's category. The default is none.
    ///   - created: When the attachment was processed; cut to whole seconds. The default is now.
    ///   - source: What the attachment was.
    ///   - settings: A fingerprint of the settings.
    ///   - renditions: The pictures made from the attachment.
    ///   - contentSizeRatio: Height divided by width of the expanded rendition.
    ///   - placeholder: A blurred likeness.
    ///   - averageColour: The average colour of the picture.
    ///   - rung: The rung of the ladder that was used.
    ///   - predictedPeak: The predicted peak footprint. The default is unknown.
    ///   - measuredPeak: The measured peak footprint. The default is unknown.
    ///   - notes: What a person should know. The default is nothing.
    public init(
        identifier: String, category: String? = nil, created: Date = Date(), source: Source,
        settings: String, renditions: [Rendition], contentSizeRatio: Double,
        placeholder: ThumbHash, averageColour: Colour, rung: String,
        predictedPeak: ByteCount? = nil, measuredPeak: ByteCount? = nil, notes: [String] = []
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
        self.predictedPeak = predictedPeak
        self.measuredPeak = measuredPeak
        self.notes = notes
    }

    /// The same renditions for another notification.
    ///
    /// - Parameters:
    ///   - identifier: The other notification's identifier.
    ///   - category: Its category. The default is none.
    ///   - created: When it was asked for; cut to whole seconds. The default is now.
    /// - Returns: The other notification's manifest, in the current format.
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

    /// The same with other notes.
    ///
    /// - Parameter notes: What a person should know.
    /// - Returns: The manifest, in the current format.
    package func noting(_ notes: [String]) -> Manifest {
        var copy = self
        copy.formatVersion = .current
        copy.notes = notes
        return copy
    }

    /// What the system is given: the sound, movie or animation where the attachment is one, else the
    /// picture.
    package var attachment: Rendition? {
        rendition(.media) ?? rendition(.attachment) ?? rendition(.expanded)
    }

    /// Whether there is a picture to show, whatever display it fits.
    package var hasPicture: Bool { renditions.contains { [.expanded, .banner].contains($0.role) } }

    /// The digest of the identifier: the manifest's name in the container.
    public var key: ContentDigest { ContentDigest(of: identifier) }

    /// The first rendition with a role.
    ///
    /// - Parameter role: What the picture is for.
    /// - Returns: The rendition; nil when there is none.
    public func rendition(_ role: RenditionRole) -> Rendition? {
        renditions.first { $0.role == role }
    }

    private static func wholeSeconds(_ date: Date) -> Date {
        Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    }
}

extension Manifest {
    /// Reads a manifest whose numbers a picture can have, so that none, whoever wrote it, overflows
    /// what is reckoned from them.
    ///
    /// - Parameter decoder: Where the manifest stands.
    /// - Throws: `DecodingError` when a field is missing, or is none of its kind.
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
        predictedPeak = try fields.decodeIfPresent(ByteCount.self, forKey: .predictedPeak)
        measuredPeak = try fields.decodeIfPresent(ByteCount.self, forKey: .measuredPeak)
        notes = try fields.decode([String].self, forKey: .notes)
        // Renditions have looked at their durations.
        guard hasCredibleRatio else {
            throw DecodingError.dataCorruptedError(
                forKey: .contentSizeRatio, in: fields, debugDescription: "no ratio of a picture")
        }
    }
}

extension Manifest: CustomStringConvertible {
    /// The key and what there is, without the identifier.
    public var description: String {
        "\(key): \(renditions.map { "\($0.role.rawValue) \($0.size)" }.joined(separator: ", "))"
    }
}
