extension AttachableType {
    /// The type of sound or a movie by its bytes; nil for everything else.
    ///
    /// - Parameter file: The file, of which a few bytes are read.
    init?(mediumOf file: AllowedFile) {
        guard let start = file.bytes(at: 0, count: 12),
            let type = Self.byPattern(start) ?? Self.mp3(file, start)
        else { return nil }
        self = type
    }

    /// What files begin with, a character a byte, `?` standing for any.
    ///
    /// RIFF and IFF name their form at byte 8; ISO/IEC 14496-12 its major brand there (the brands of
    /// ISO/IEC 14496-14 and those that the derived ones of 14496-12 name); ISO/IEC 11172-1 and
    /// 13818-1 begin a stream with a pack, 11172-2 and 13818-2 one with a sequence.
    private static let patterns: [(pattern: String, type: AttachableType)] =
        [
            ("RIFF????WAVE", .wav), ("RIFF????AVI ", .avi),
            ("FORM????AIFF", .aiff), ("FORM????AIFC", .aiff),
            ("\0\0\u{1}\u{BA}", .mpeg), ("\0\0\u{1}\u{B3}", .mpeg2),
        ]
        + ["M4A ", "M4B "].map { ("????ftyp\($0)", .m4a) }
        + [
            "isom", "iso2", "iso3", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "M4V ",
            "M4VH", "M4VP", "MSNV", "dash",
        ].map { ("????ftyp\($0)", .mpeg4) }

    private static func byPattern(_ bytes: [UInt8]) -> AttachableType? {
        patterns.first { pattern, _ in
            let scalars = pattern.unicodeScalars
            return bytes.count >= scalars.count
                && zip(bytes, scalars).allSatisfy { $1 == "?" || UInt32($0) == $1.value }
        }?.type
    }

    /// MP3 begins with a frame, or with a tag (ID3v2.4, section 3.1) and a frame behind it.
    private static func mp3(_ file: AllowedFile, _ start: [UInt8]) -> AttachableType? {
        guard start.starts(with: Array("ID3".utf8)), start.count >= 10 else {
            return isLayer3Frame(start) ? .mp3 : nil
        }
        // Four times seven bits.
        let size = start[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        let footer = start[5] & 0x10 == 0 ? 0 : 10
        guard let frame = file.bytes(at: 10 + size + footer, count: 4) else { return nil }
        return isLayer3Frame(frame) ? .mp3 : nil
    }

    /// Whether bytes begin with the header of a frame of layer III (ISO/IEC 11172-3, section 2.4.1.3)
    /// whose fields all have values that may be.
    private static func isLayer3Frame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return false }
        let (version, layer) = (bytes[1] >> 3 & 3, bytes[1] >> 1 & 3)
        let (bitRate, sampleRate) = (bytes[2] >> 4, bytes[2] >> 2 & 3)
        return version != 1 && layer == 1 && bitRate != 0 && bitRate != 15 && sampleRate != 3
    }
}
