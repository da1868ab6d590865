/// The kinds of file that a rendition may be: the three that the system takes as a picture.
///
/// The raw values are uniform type identifiers.
public enum RenditionType: String, Sendable, Codable, CaseIterable {
    /// JPEG, for opaque pictures.
    case jpeg = "public.jpeg"
    /// PNG, for pictures with transparency.
    case png = "public.png"
    /// GIF, for pictures that move.
    case gif = "com.compuserve.gif"

    /// The type whose files end in an extension; nil when there is none.
    ///
    /// - Parameter fileExtension: The extension, without its full stop, in lower case.
    public init?(fileExtension: String) {
        guard let type = Self.allCases.first(where: { $0.fileExtension == fileExtension }) else {
            return nil
        }
        self = type
    }

    /// The extension of its files, without a full stop.
    ///
    /// The system refuses an attachment whose extension does not tell its type.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        }
    }
}
