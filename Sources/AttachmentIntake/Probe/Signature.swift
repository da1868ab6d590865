/// What the first bytes of a file tell of its kind.
enum Signature: Hashable {
    case jpeg
    case png
    case webp
    case gif
    case tiff
    /// A file of boxes (ISO/IEC 14496-12), of which some are HEIF and some are movies.
    case isobmff
    /// A file of boxes from the time before they told their brands.
    case quickTime
    case wav
    case aiff
    case avi
    /// MPEG audio, layer III, with a tag before it or without.
    case mp3
    /// A program stream of MPEG-1 or MPEG-2.
    case mpegProgram
    /// MPEG video without a container.
    case mpegVideo
    /// A kind that Thimble does not read, by its name; nil when the kind is not known.
    case foreign(String?)

    /// Looks at the first bytes of a file.
    ///
    /// - Parameter reader: The file.
    /// - Throws: `unreadable`.
    init(_ reader: BoundedReader) throws(HeaderFault) {
        let bytes = try reader.prefix(BoundedReader.windowBytes)
        if let known = Self.patterns.first(where: { Self.matches(bytes, $0.pattern) }) {
            self = known.signature
        } else if let stream = try Self.stream(reader) {
            self = stream
        } else {
            self = .foreign(Self.text(bytes))
        }
    }

    /// Tells streams, whose first bytes alone would take other data for one of them.
    private static func stream(_ reader: BoundedReader) throws(HeaderFault) -> Signature? {
        if try MPEGProbe.beginsWithPack(reader) { return .mpegProgram }
        if try MPEGProbe.beginsWithSequence(reader) { return .mpegVideo }
        return try MP3Probe.begins(reader) ? .mp3 : nil
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
        ("RIFF????WAVE", .wav),
        ("RIFF????AVI ", .avi),
        ("FORM????AIFF", .aiff),
        ("FORM????AIFC", .aiff),
        ("????moov", .quickTime),
        ("\0\0\0\u{8}wide", .quickTime),
        ("\0???mdat", .quickTime),
        ("ID3\u{2}", .mp3),
        ("ID3\u{3}", .mp3),
        ("ID3\u{4}", .mp3),
        ("\u{1A}\u{45}\u{DF}\u{A3}", .foreign("a Matroska or WebM movie")),
        ("\u{30}\u{26}\u{B2}\u{75}\u{8E}\u{66}\u{CF}\u{11}", .foreign("a Windows Media file")),
        ("FLV\u{1}", .foreign("a Flash movie")),
        ("OggS", .foreign("an Ogg file")),
        ("fLaC", .foreign("a FLAC sound")),
        ("caff", .foreign("a CAF sound")),
        ("#!AMR", .foreign("an AMR sound")),
        ("MThd", .foreign("a MIDI file")),
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

    /// What the file is called in an error, for what is no picture.
    var name: String? {
        switch self {
        case .jpeg, .png, .webp, .gif, .tiff, .isobmff: nil
        case .quickTime: "a QuickTime movie"
        case .wav: "a WAV sound"
        case .aiff: "an AIFF sound"
        case .avi: "an AVI movie"
        case .mp3: "an MP3 sound"
        case .mpegProgram, .mpegVideo: "an MPEG movie"
        case .foreign(let name): name
        }
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
