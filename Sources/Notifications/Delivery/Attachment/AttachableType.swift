public import AttachmentContainer
import AttachmentModel

/// A file type that the system accepts as an attachment (Apple, `UNNotificationAttachment`).
public struct AttachableType: Sendable, Hashable {
    /// Uniform type identifier, for the type hint.
    public let identifier: String
    /// The file extension, without a full stop.
    ///
    /// The system rejects an attachment whose extension does not match its type.
    public let fileExtension: String
    /// The medium, which determines the size limit.
    public let medium: Medium

    /// The medium of a file, regardless of its format.
    public enum Medium: String, Sendable, Codable, CaseIterable {
        /// A picture.
        case picture
        /// Sound.
        case sound
        /// A movie.
        case movie
    }

    init(_ type: RenditionType) {
        (identifier, fileExtension, medium) = (type.rawValue, type.fileExtension, .picture)
    }

    /// Creates the type of a picture; nil if the system does not accept its format.
    init?(_ format: AttachmentFormat) {
        switch format {
        case .jpeg: self.init(RenditionType.jpeg)
        case .png: self.init(RenditionType.png)
        case .gif: self.init(RenditionType.gif)
        default: return nil
        }
    }

    init(_ type: MediaType) {
        (identifier, fileExtension) = (type.rawValue, type.fileExtension)
        medium =
            switch type.kind {
            case .sound: .sound
            case .movie: .movie
            }
    }

    /// Creates the type of a rendition; nil if the system does not accept it.
    init?(_ rendition: Manifest.Rendition) {
        if let type = RenditionType(rawValue: rendition.type) {
            self.init(type)
        } else if let type = MediaType(rawValue: rendition.type) {
            self.init(type)
        } else {
            return nil
        }
    }
}

extension AttachmentLimits {
    /// Returns the maximum file size for a medium.
    ///
    /// - Parameter medium: The medium.
    /// - Returns: The limit, in bytes.
    public func limit(for medium: AttachableType.Medium) -> ByteCount {
        switch medium {
        case .picture: picture
        case .sound: sound
        case .movie: movie
        }
    }
}
