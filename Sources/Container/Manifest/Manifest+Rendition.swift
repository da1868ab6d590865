extension Manifest {
    /// A stored picture made from an attachment, or a sound or movie that is passed through.
    public struct Rendition: Sendable, Hashable, Codable {
        /// The purpose of the file.
        public let role: RenditionRole
        /// The path of the file, relative to the container's `renditions` folder.
        public let file: String
        /// The uniform type identifier, such as `public.jpeg`.
        public let type: String
        /// The size, in pixels; zero for sound, and for a movie without a size in its header.
        public let size: PixelSize
        /// The length of the file.
        public let bytes: ByteCount
        /// The digest of the file.
        public let sha256: ContentDigest
        /// The part of the picture that the rendition shows.
        ///
        /// For `banner` it is a part of `expanded` if there is one, else of the upright attachment,
        /// as for all others. Nil means the whole picture, or unknown.
        public let crop: UnitRectangle?
        /// The duration of one pass, in seconds; nil for a still, or if unknown.
        public let duration: Double?
        /// The number of frames; nil for a still, and for sound and movies.
        public let frames: Int?
        /// The number of passes, 0 for an infinite loop; nil for a still, and for sound and movies.
        public let loopCount: Int?
        /// The key of a sealed rendition; nil for a file in the clear.
        package private(set) var seal: Seal?

        /// Decoded bytes of all frames, four a pixel; saturating.
        public var decodedBytes: ByteCount {
            let (bytes, overflow) = size.decodedBytes.bytes
                .multipliedReportingOverflow(by: max(1, frames ?? 1))
            return ByteCount(overflow ? .max : bytes)
        }
    }
}

/// The purpose of a rendition; readers ignore unknown ones.
public struct RenditionRole: Sendable, Hashable, Codable, RawRepresentable {
    /// The role's name in the manifest.
    public let rawValue: String

    /// Creates a role from its name in the manifest.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The picture for the full interface, possibly cropped to a requested ratio.
    public static let expanded = RenditionRole(rawValue: "expanded")
    /// A square crop for the small thumbnail.
    public static let banner = RenditionRole(rawValue: "banner")
    /// The animation as a GIF, for the system's attachment and the full interface.
    public static let attachment = RenditionRole(rawValue: "attachment")
    /// The sound or movie itself, passed through byte for byte.
    public static let media = RenditionRole(rawValue: "media")
    /// A square for the sender of a communication notification.
    public static let avatar = RenditionRole(rawValue: "avatar")
    /// The picture for a Live Activity on the Lock Screen.
    public static let liveActivity = RenditionRole(rawValue: "live-activity")
    /// The picture for a widget.
    public static let widget = RenditionRole(rawValue: "widget")
    /// The picture for Android's `BigPictureStyle`.
    public static let androidBigPicture = RenditionRole(rawValue: "android-big-picture")
    /// The large icon of an Android notification.
    public static let androidLargeIcon = RenditionRole(rawValue: "android-large-icon")
    /// The image of a web notification.
    public static let webPush = RenditionRole(rawValue: "web-push")
}

extension Manifest.Rendition {
    /// Decodes a rendition, whose path must follow from its digest and so stays in the container.
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
        seal = try fields.decodeIfPresent(Seal.self, forKey: .seal)
        guard file.hasPrefix(Self.stem(sha256)), Self.isRenditionPath(file),
            role == .media || (size.width > 0 && size.height > 0)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .file, in: fields, debugDescription: "invalid path or size of a rendition")
        }
        guard hasCredibleDuration else {
            throw DecodingError.dataCorruptedError(
                forKey: .duration, in: fields, debugDescription: "duration out of range")
        }
    }

    static func isRenditionPath(_ file: String) -> Bool {
        let name = file.drop { $0 != "/" }.dropFirst()
        guard let digest = ContentDigest(rawValue: String(name.prefix { $0 != "." })) else {
            return false
        }
        let stem = stem(digest)
        return file.hasPrefix(stem) && !file.dropFirst(stem.count).contains("/")
    }

    /// The path up to the extension; 256 subfolders keep each of them small.
    static func stem(_ digest: ContentDigest) -> String {
        "\(digest.rawValue.prefix(2))/\(digest.rawValue)."
    }
}
