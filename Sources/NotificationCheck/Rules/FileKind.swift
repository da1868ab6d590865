import AttachmentContainer

/// What a file is by its first bytes, as far as it matters to the system.
enum FileKind: Hashable {
    /// A picture that the system takes.
    case picture
    /// A picture that must be encoded anew.
    case foreignPicture(String)
    /// Sound.
    case sound
    /// A movie.
    case movie
    /// Something that the system does not take.
    case other

    /// The longest file that the system takes (Apple, `UNNotificationAttachment`).
    var limit: ByteCount {
        switch self {
        case .sound: .megabytes(5)
        case .movie: .megabytes(50)
        case .picture, .foreignPicture, .other: .megabytes(10)
        }
    }

    /// What files begin with; `?` stands for any byte.
    ///
    /// RFC 9649 (WebP), TIFF 6.0 section 2, ISO/IEC 14496-12 section 4.3 with the brands that are
    /// registered for it, ISO/IEC 13818-1 and 13818-2 start codes, ID3v2.4 section 3.1; RIFF and IFF
    /// name their form at byte 8.
    private static let signatures: [(start: String, kind: FileKind, extensions: [String])] =
        [
            ("\u{FF}\u{D8}\u{FF}", .picture, ["jpg", "jpeg"]), ("\u{89}PNG", .picture, ["png"]),
            ("GIF8", .picture, ["gif"]), ("RIFF????WEBP", .foreignPicture("WebP"), []),
            ("II*\0", .foreignPicture("TIFF"), []), ("MM\0*", .foreignPicture("TIFF"), []),
            ("????ftypavi", .foreignPicture("AVIF"), []),
            ("????ftyphei", .foreignPicture("HEIF"), []),
            ("????ftypmif1", .foreignPicture("HEIF"), []),
            ("????ftypmsf1", .foreignPicture("HEIF"), []),
            ("RIFF????WAVE", .sound, ["wav", "wave"]),
            ("FORM????AIF", .sound, ["aif", "aiff", "aifc"]), ("ID3", .sound, ["mp3"]),
            ("????ftypM4A", .sound, ["m4a"]), ("RIFF????AVI ", .movie, ["avi"]),
            ("\0\0\u{1}\u{BA}", .movie, ["mpg", "mpeg"]),
            ("\0\0\u{1}\u{B3}", .movie, ["mpg", "mpeg", "m2v"]),
        ]
        + ["FB", "F3", "F2", "FA"].compactMap { UInt8($0, radix: 16) }.map {
            ("\u{FF}\(Character(UnicodeScalar($0)))", .sound, ["mp3"])
        }
        + ["iso", "mp4", "avc1", "M4V", "MSNV", "dash"].map {
            ("????ftyp\($0)", .movie, ["mp4", "m4v"])
        }

    /// The kind of a file in the container; nil when the system does not take such files.
    ///
    /// - Parameter rendition: A picture, or what was passed through.
    init?(_ rendition: Manifest.Rendition) {
        if RenditionType(rawValue: rendition.type) != nil {
            self = .picture
        } else if let type = MediaType(rawValue: rendition.type) {
            self = type.kind == .sound ? .sound : .movie
        } else {
            return nil
        }
    }

    /// Tells a file by its first bytes, never by its name.
    ///
    /// - Parameter bytes: The first 12 bytes, or all of a shorter file.
    /// - Returns: The kind, and the extensions that tell the system its type; none where the system
    ///   does not take it.
    static func kind(of bytes: [UInt8]) -> (kind: FileKind, extensions: [String]) {
        let match = signatures.first { start, _, _ in
            start.unicodeScalars.count <= bytes.count
                && zip(start.unicodeScalars, bytes).allSatisfy { $0 == "?" || $0.value == $1 }
        }
        return match.map { ($0.kind, $0.extensions) } ?? (.other, [])
    }
}
