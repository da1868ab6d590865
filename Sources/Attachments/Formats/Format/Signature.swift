import AttachmentModel

/// Media or unsupported format detected from the first bytes of a file that is not a picture.
enum Signature: Hashable {
    /// File of boxes (ISO/IEC 14496-12).
    case isobmff
    /// QuickTime file without a file type box.
    case quickTime
    case wav
    case aiff
    case avi
    /// MPEG audio layer III, with or without a tag.
    case mp3
    /// MPEG-1 or MPEG-2 program stream.
    case mpegProgram
    /// MPEG elementary video stream.
    case mpegVideo
    /// Unsupported format with its name, or nil for an unknown format.
    case unsupported(String?)

    init(_ reader: BoundedReader) throws(HeaderFault) {
        let bytes = try reader.prefix(BoundedReader.windowBytes)
        if let known = Self.patterns.first(where: { $0.pattern.matches(bytes) }) {
            self = known.signature
        } else if let stream = try Self.stream(reader) {
            self = stream
        } else {
            self = .unsupported(Self.text(bytes))
        }
    }

    private static func stream(_ reader: BoundedReader) throws(HeaderFault) -> Signature? {
        if try MPEGProbe.beginsWithPack(reader) { return .mpegProgram }
        if try MPEGProbe.beginsWithSequence(reader) { return .mpegVideo }
        return try MP3Probe.begins(reader) ? .mp3 : nil
    }

    /// The first match wins.
    private static let patterns: [(pattern: BytePattern, signature: Signature)] = [
        ("????ftyp", .isobmff),
        ("\0\0\0\u{C}jP  ", .unsupported("JPEG 2000")),
        ("\u{FF}\u{4F}\u{FF}\u{51}", .unsupported("JPEG 2000")),
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
        ("\u{1A}\u{45}\u{DF}\u{A3}", .unsupported("a Matroska or WebM movie")),
        ("\u{30}\u{26}\u{B2}\u{75}\u{8E}\u{66}\u{CF}\u{11}", .unsupported("a Windows Media file")),
        ("FLV\u{1}", .unsupported("a Flash movie")),
        ("OggS", .unsupported("an Ogg file")),
        ("fLaC", .unsupported("a FLAC sound")),
        ("caff", .unsupported("a CAF sound")),
        ("#!AMR", .unsupported("an AMR sound")),
        ("MThd", .unsupported("a MIDI file")),
        ("\0\0\u{1}\0", .unsupported("an icon")),
        ("8BPS", .unsupported("a Photoshop document")),
        ("%PDF", .unsupported("PDF")),
        ("%!PS", .unsupported("PostScript")),
        ("\u{1F}\u{8B}", .unsupported("gzip")),
        ("PK\u{3}\u{4}", .unsupported("ZIP")),
    ]

    /// Detects SVG, HTML and plain text, which have no fixed signature.
    private static func text(_ bytes: [UInt8]) -> String? {
        let isText = bytes.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
        guard isText else { return nil }
        let start = String(decoding: bytes, as: UTF8.self).lowercased()
        if start.contains("<svg") { return "SVG" }
        if start.contains("<html") || start.contains("<!doctype html") { return "HTML" }
        return start.contains("<?xml") ? "XML" : "text"
    }
}
