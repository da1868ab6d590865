/// The picture types of renditions, by uniform type identifier.
public enum RenditionType: String, Sendable, Codable, CaseIterable {
    /// JPEG, for opaque pictures.
    case jpeg = "public.jpeg"
    /// PNG, for pictures with transparency.
    case png = "public.png"
    case gif = "com.compuserve.gif"

    /// Finds the type with a file name extension in lower case; nil if it is unknown.
    public init?(fileExtension: String) {
        guard let type = Self.allCases.first(where: { $0.fileExtension == fileExtension }) else {
            return nil
        }
        self = type
    }

    /// The file name extension, without a full stop; the system requires that it matches the type.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        }
    }
}
