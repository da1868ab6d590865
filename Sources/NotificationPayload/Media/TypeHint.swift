/// A sender's word for the type of an attachment, such as `webp`, `image/webp` or `image`.
struct TypeHint {
    /// The vocabularies of senders.
    private enum Vocabulary {
        /// A file extension, as Braze has it; perhaps with its full stop.
        case fileExtension(prefix: String)
        /// A kind of medium, as CleverTap has it.
        case medium
        /// A media type (RFC 6838).
        case mediaType
        /// A uniform type identifier.
        case typeIdentifier
    }

    /// The words for one type.
    private struct Words {
        let medium: String
        let mediaType: String
        /// File extensions with the same meaning, the preferred one first.
        let extensions: [String]
    }

    private let text: String
    private let vocabulary: Vocabulary

    /// Reads a hint; nil when it is a word of no known vocabulary.
    ///
    /// - Parameter hint: The hint, as it is written.
    init?(_ hint: String) {
        let text = hint.lowercased()
        self.text = text
        let name = String(text.drop { $0 == "." })
        if Self.media.contains(where: { $0.contains(text) }) {
            vocabulary = .medium
        } else if Self.isExtension(name) {
            vocabulary = .fileExtension(prefix: text == name ? "" : ".")
        } else if ["image/", "audio/", "video/"].contains(where: text.hasPrefix) {
            vocabulary = .mediaType
        } else if Self.identifierPrefixes.contains(where: text.hasPrefix) {
            vocabulary = .typeIdentifier
        } else {
            return nil
        }
    }

    /// The hint for another file; nil when the hint is right for it, or the file's type is unknown.
    ///
    /// - Parameter rendition: The file.
    /// - Returns: A word of the same vocabulary.
    func replacement(for rendition: DeliveryNote.Rendition) -> String? {
        let name = rendition.file.lowercased().split(separator: ".").last.map(String.init) ?? ""
        guard let words = Self.types.first(where: { $0.extensions.contains(name) }) else {
            return nil
        }
        let (word, isRight) =
            switch vocabulary {
            case .fileExtension(let prefix):
                (prefix + name, words.extensions.contains(String(text.dropFirst(prefix.count))))
            case .medium:
                (
                    words.medium,
                    Self.media.contains { $0.contains(words.medium) && $0.contains(text) }
                )
            case .mediaType:
                (words.mediaType, text.prefix { $0 != ";" } == words.mediaType)
            case .typeIdentifier: (rendition.type, text == rendition.type)
            }
        return isRight ? nil : word
    }

    private static func isExtension(_ name: String) -> Bool {
        otherExtensions.contains(name) || types.contains { $0.extensions.contains(name) }
    }

    /// Words for one medium each.
    private static let media: [Set<String>] = [
        ["image", "picture", "photo"], ["video", "movie"], ["audio", "sound"],
    ]

    /// What uniform type identifiers of pictures, sound and movies begin with.
    private static let identifierPrefixes = [
        "public.", "com.compuserve.", "com.microsoft.", "com.apple.", "org.webmproject.",
    ]

    /// The types that the container has renditions of (media types: the registry of IANA; AIFF and
    /// AVI, which are not registered, as browsers call them).
    private static let types = [
        Words(
            medium: "image", mediaType: "image/jpeg", extensions: ["jpg", "jpeg", "jpe", "jfif"]),
        Words(medium: "image", mediaType: "image/png", extensions: ["png"]),
        Words(medium: "image", mediaType: "image/gif", extensions: ["gif"]),
        Words(medium: "audio", mediaType: "audio/aiff", extensions: ["aiff", "aif", "aifc"]),
        Words(medium: "audio", mediaType: "audio/wav", extensions: ["wav", "wave"]),
        Words(medium: "audio", mediaType: "audio/mpeg", extensions: ["mp3"]),
        Words(medium: "audio", mediaType: "audio/mp4", extensions: ["m4a"]),
        Words(medium: "video", mediaType: "video/mpeg", extensions: ["mpg", "mpeg", "m1v", "m2v"]),
        Words(medium: "video", mediaType: "video/mp4", extensions: ["mp4", "m4v"]),
        Words(medium: "video", mediaType: "video/x-msvideo", extensions: ["avi"]),
    ]

    /// Extensions of what is sent and never published.
    private static let otherExtensions: Set = [
        "webp", "heic", "heics", "heif", "hif", "avif", "tif", "tiff", "bmp", "apng", "svg", "jxl",
        "mov", "qt", "webm", "mkv", "aac", "caf", "ogg", "flac",
    ]
}
