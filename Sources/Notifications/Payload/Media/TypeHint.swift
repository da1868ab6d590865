/// A sender's hint at an attachment's type, such as `webp`, `image/webp` or `image`.
struct TypeHint {
    private enum Notation {
        /// A file extension, as in Braze, with an optional full stop.
        case fileExtension(prefix: String)
        /// A kind of medium, as in CleverTap.
        case medium
        /// A media type (RFC 6838).
        case mediaType
        /// A uniform type identifier.
        case typeIdentifier
    }

    private struct Spellings {
        let medium: String
        let mediaType: String
        /// Equivalent file extensions, the preferred one first.
        let extensions: [String]
    }

    private let text: String
    private let notation: Notation

    init?(_ hint: String) {
        let text = hint.lowercased()
        self.text = text
        let name = String(text.drop { $0 == "." })
        if Self.media.contains(where: { $0.contains(text) }) {
            notation = .medium
        } else if Self.isExtension(name) {
            notation = .fileExtension(prefix: text == name ? "" : ".")
        } else if ["image/", "audio/", "video/"].contains(where: text.hasPrefix) {
            notation = .mediaType
        } else if Self.identifierPrefixes.contains(where: text.hasPrefix) {
            notation = .typeIdentifier
        } else {
            return nil
        }
    }

    /// Returns a hint for another file in the same notation; nil if the hint already fits, or the
    /// file's type is unknown.
    func replacement(for rendition: DeliveryNote.Rendition) -> String? {
        let name = rendition.file.lowercased().split(separator: ".").last.map(String.init) ?? ""
        guard let spellings = Self.types.first(where: { $0.extensions.contains(name) }) else {
            return nil
        }
        let (replacement, isMatching) =
            switch notation {
            case .fileExtension(let prefix):
                (prefix + name, spellings.extensions.contains(String(text.dropFirst(prefix.count))))
            case .medium:
                (
                    spellings.medium,
                    Self.media.contains { $0.contains(spellings.medium) && $0.contains(text) }
                )
            case .mediaType: (spellings.mediaType, text.prefix { $0 != ";" } == spellings.mediaType)
            case .typeIdentifier: (rendition.type, text == rendition.type)
            }
        return isMatching ? nil : replacement
    }

    private static func isExtension(_ name: String) -> Bool {
        otherExtensions.contains(name) || types.contains { $0.extensions.contains(name) }
    }

    private static let media: [Set<String>] = [
        ["image", "picture", "photo"], ["video", "movie"], ["audio", "sound"],
    ]

    private static let identifierPrefixes = [
        "public.", "com.compuserve.", "com.microsoft.", "com.apple.", "org.webmproject.",
    ]

    /// The types of renditions.
    ///
    /// Media types are from the IANA registry. AIFF and AVI are unregistered; browsers use these names.
    private static let types = [
        Spellings(
            medium: "image", mediaType: "image/jpeg", extensions: ["jpg", "jpeg", "jpe", "jfif"]),
        Spellings(medium: "image", mediaType: "image/png", extensions: ["png"]),
        Spellings(medium: "image", mediaType: "image/gif", extensions: ["gif"]),
        Spellings(medium: "audio", mediaType: "audio/aiff", extensions: ["aiff", "aif", "aifc"]),
        Spellings(medium: "audio", mediaType: "audio/wav", extensions: ["wav", "wave"]),
        Spellings(medium: "audio", mediaType: "audio/mpeg", extensions: ["mp3"]),
        Spellings(medium: "audio", mediaType: "audio/mp4", extensions: ["m4a"]),
        Spellings(
            medium: "video", mediaType: "video/mpeg", extensions: ["mpg", "mpeg", "m1v", "m2v"]),
        Spellings(medium: "video", mediaType: "video/mp4", extensions: ["mp4", "m4v"]),
        Spellings(medium: "video", mediaType: "video/x-msvideo", extensions: ["avi"]),
    ]

    /// Extensions of source formats that are never published.
    private static let otherExtensions: Set = [
        "webp", "heic", "heics", "heif", "hif", "avif", "tif", "tiff", "bmp", "apng", "svg", "jxl",
        "mov", "qt", "webm", "mkv", "aac", "caf", "ogg", "flac",
    ]
}
