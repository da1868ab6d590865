extension Manifest {
    /// One picture made from an attachment, or the attachment itself where it is passed through, as
    /// `Publication` stored it.
    public struct Rendition: Sendable, Hashable, Codable {
        /// What the file is for.
        public let role: RenditionRole
        /// The path of the file, relative to the container's `renditions` folder.
        public let file: String
        /// The kind of file: a uniform type identifier such as `public.jpeg`.
        public let type: String
        /// The size, in pixels; zero for sound, and for a movie whose header does not say.
        public let size: PixelSize
        /// The length of the file.
        public let bytes: ByteCount
        /// The digest of the file.
        public let sha256: ContentDigest
        /// The part of the picture that it was cut from.
        ///
        /// That picture is the upright attachment for `expanded`, and `expanded` for `banner`. Nil
        /// when it is the whole, and when its maker did not say.
        public let crop: UnitRectangle?
        /// How long it plays once, in seconds; nil for a still, and where its header does not say.
        public let duration: Double?
        /// How many frames it has; nil for a still, and for sound and movies.
        public let frames: Int?
        /// How often it is played, 0 for without end; nil for a still, and for sound and movies.
        public let loopCount: Int?

        /// What all its frames take when they are decoded, at four bytes a pixel; saturating.
        public var decodedBytes: ByteCount {
            let (bytes, overflow) = size.decodedBytes.bytes
                .multipliedReportingOverflow(by: max(1, frames ?? 1))
            return ByteCount(overflow ? .max : bytes)
        }
    }
}

/// What a rendition is for.
///
/// A reader passes over roles that it does not know.
public struct RenditionRole: Sendable, Hashable, Codable, RawRepresentable {
    /// The role's name in the manifest.
    public let rawValue: String

    /// Makes a role from its name.
    ///
    /// - Parameter rawValue: The role's name in the manifest.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The picture, or the part of it that has the ratio asked for, for the full interface.
    public static let expanded = RenditionRole(rawValue: "expanded")
    /// A square cut from it, for the small thumbnail.
    public static let banner = RenditionRole(rawValue: "banner")
    /// The animation, as a GIF: what the system attaches, and what moves in the full interface.
    public static let attachment = RenditionRole(rawValue: "attachment")
    /// The sound or movie itself, passed through byte for byte.
    public static let media = RenditionRole(rawValue: "media")
}

extension Manifest.Rendition {
    /// Describes a file that is stored under its digest.
    init(_ content: Content, bytes: Int, of digest: ContentDigest) {
        role = content.role
        type = content.type
        size = content.size
        crop = content.crop
        duration = content.duration
        frames = content.frames
        loopCount = content.loopCount
        self.bytes = ByteCount(bytes)
        sha256 = digest
        file = Self.stem(digest) + content.fileExtension
    }

    /// What is known of a file before it is stored.
    struct Content {
        let role: RenditionRole
        let type: String
        let fileExtension: String
        let size: PixelSize
        var crop: UnitRectangle?
        var duration: Double?
        var frames: Int?
        var loopCount: Int?
    }

    /// Reads a rendition whose file is where its digest says, so that no manifest, whoever wrote
    /// it, leads out of the container.
    ///
    /// - Parameter decoder: Where the rendition stands.
    /// - Throws: `DecodingError` when a field is missing, the file is elsewhere, or the size or the
    ///   duration is none.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        role = try fields.decode(RenditionRole.self, forKey: .role)
        file = try fields.decode(String.self, forKey: .file)
        type = try fields.decode(String.self, forKey: .type)
        size = try fields.decode(PixelSize.self, forKey: .size)
        bytes = try fields.decode(ByteCount.self, forKey: .bytes)
        sha256 = try fields.decode(ContentDigest.self, forKey: .sha256)
        crop = try fields.decodeIfPresent(UnitRectangle.self, forKey: .crop)
        duration = try fields.decodeIfPresent(Double.self, forKey: .duration)
        frames = try fields.decodeIfPresent(Int.self, forKey: .frames)
        loopCount = try fields.decodeIfPresent(Int.self, forKey: .loopCount)
        guard file.hasPrefix(Self.stem(sha256)), Self.isPlace(file),
            role == .media || (size.width > 0 && size.height > 0)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .file, in: fields, debugDescription: "no place or no size of a rendition")
        }
        guard hasCredibleDuration else {
            throw DecodingError.dataCorruptedError(
                forKey: .duration, in: fields, debugDescription: "nothing plays so long")
        }
    }

    /// Whether a path, relative to the folder of renditions, is one that a rendition may have.
    static func isPlace(_ file: String) -> Bool {
        let name = file.drop { $0 != "/" }.dropFirst()
        guard let digest = ContentDigest(rawValue: String(name.prefix { $0 != "." })) else {
            return false
        }
        let stem = stem(digest)
        return file.hasPrefix(stem) && !file.dropFirst(stem.count).contains("/")
    }

    /// The path up to the extension: folders of one 256th each, so that none grows without bound.
    static func stem(_ digest: ContentDigest) -> String {
        "\(digest.rawValue.prefix(2))/\(digest.rawValue)."
    }
}
