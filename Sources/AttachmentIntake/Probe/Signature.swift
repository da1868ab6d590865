/// What the first bytes of a file tell of its kind.
enum Signature: Hashable {
    case jpeg
    case png
    case webp
    case gif
    case tiff
    /// A file of boxes (ISO/IEC 14496-12), of which some are HEIF.
    case isobmff
    /// A kind that Thimble does not read, by its name; nil when the kind is not known.
    case foreign(String?)

    /// Looks at the first bytes of a file.
    ///
    /// - Parameter reader: The file.
    /// - Throws: `unreadable`.
    init(_ reader: BoundedReader) throws(HeaderFault) {
        let bytes = try reader.prefix(BoundedReader.windowBytes)
        let known = Self.patterns.first { Self.matches(bytes, $0.pattern) }
        self = known?.signature ?? .foreign(Self.text(bytes))
    }

    /// What files begin with, a character a byte, `?` standing for any; the first match counts.
    private static let patterns: [(pattern: String, signature: Signature)] = [
        ("\u{FF}\u{D8}", .jpeg),
        ("\u{89}PNG\r\n\u{1A}\n", .png),
        ("RIFF????WEBP", .webp),
        ("GIF87a", .gif),
        ("GIF89a", .gif),
        ("II*\0", .tiff),
        ("MM\0*", .tiff),
        ("II+\0", .tiff),
        ("MM\0+", .tiff),
        ("????ftyp", .isobmff),
        ("\0\0\0\u{C}JXL ", .foreign("JPEG XL")),
        ("\u{FF}\u{A}", .foreign("JPEG XL")),
        ("\0\0\0\u{C}jP  ", .foreign("JPEG 2000")),
        ("\u{FF}\u{4F}\u{FF}\u{51}", .foreign("JPEG 2000")),
        ("RIFF????WAVE", .foreign("a WAV sound")),
        ("RIFF????AVI ", .foreign("an AVI movie")),
        ("????moov", .foreign("a QuickTime movie")),
        ("ID3", .foreign("an MP3 sound")),
        ("BM", .foreign("BMP")),
        ("\0\0\u{1}\0", .foreign("an icon")),
        ("8BPS", .foreign("a Photoshop document")),
        ("%PDF", .foreign("PDF")),
        ("%!PS", .foreign("PostScript")),
        ("\u{1F}\u{8B}", .foreign("gzip")),
        ("PK\u{3}\u{4}", .foreign("ZIP")),
    ]

    private static func matches(_ bytes: [UInt8], _ pattern: String) -> Bool {
        let scalars = pattern.unicodeScalars
        return bytes.count >= scalars.count
            && zip(bytes, scalars).allSatisfy { $1 == "?" || UInt32($0) == $1.value }
    }

    /// Tells SVG, HTML and plain text, none of which begins with fixed bytes.
    private static func text(_ bytes: [UInt8]) -> String? {
        let isText = bytes.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        guard isText else { return nil }
        let start = String(decoding: bytes, as: UTF8.self).lowercased()
        if start.contains("<svg") { return "SVG" }
        if start.contains("<html") || start.contains("<!doctype html") { return "HTML" }
        return start.contains("<?xml") ? "XML" : "text"
    }
}
