public import AttachmentContainer
import AttachmentPlanning

/// A kind of file that the system takes as an attachment (Apple, `UNNotificationAttachment`).
public struct AttachableType: Sendable, Hashable {
    /// Its uniform type identifier, for the type hint.
    public let identifier: String
    /// The extension of its files, without a full stop.
    ///
    /// The system refuses an attachment whose extension does not tell its type.
    public let fileExtension: String
    /// What it is, which tells how long it may be.
    public let medium: Medium

    /// What a file is, whatever its format.
    public enum Medium: String, Sendable, Codable, CaseIterable {
        /// A picture.
        case picture
        /// Sound.
        case sound
        /// A movie.
        case movie
    }

    init(_ identifier: String, _ fileExtension: String, _ medium: Medium) {
        self.identifier = identifier
        self.fileExtension = fileExtension
        self.medium = medium
    }

    /// The type of a rendition.
    ///
    /// - Parameter type: What the rendition is.
    init(_ type: RenditionType) {
        self.init(type.rawValue, type.fileExtension, .picture)
    }

    /// The type of a picture; nil when the system does not take its format.
    ///
    /// - Parameter format: The picture's format.
    init?(_ format: AttachmentFormat) {
        switch format {
        case .jpeg: self.init(RenditionType.jpeg)
        case .png: self.init(RenditionType.png)
        case .gif: self.init(RenditionType.gif)
        case .webp, .heic, .avif, .tiff: return nil
        }
    }

    /// The type of sound or a movie.
    ///
    /// - Parameter type: What it is.
    init(_ type: MediaType) {
        switch type.kind {
        case .sound: self.init(type.rawValue, type.fileExtension, .sound)
        case .movie: self.init(type.rawValue, type.fileExtension, .movie)
        }
    }

    /// The type of a file in the container; nil when the system does not take such files.
    ///
    /// - Parameter rendition: A picture, or what was passed through.
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
    /// How long a file may be.
    ///
    /// - Parameter medium: What it is.
    /// - Returns: Its limit.
    public func limit(for medium: AttachableType.Medium) -> ByteCount {
        switch medium {
        case .picture: picture
        case .sound: sound
        case .movie: movie
        }
    }
}
