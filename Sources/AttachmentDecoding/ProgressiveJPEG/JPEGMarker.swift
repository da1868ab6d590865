/// Marker codes of JPEG: the byte behind 0xFF (T.81, table B.1).
enum JPEGMarker {
    /// TEM, which stands alone and means nothing to us.
    static let temporary: UInt8 = 0x01
    /// SOF0, a baseline frame.
    static let baselineFrame: UInt8 = 0xC0
    /// SOF1, a sequential frame with any Huffman tables and precision.
    static let sequentialFrame: UInt8 = 0xC1
    /// SOF2, a progressive frame.
    static let progressiveFrame: UInt8 = 0xC2
    /// DHT, Huffman tables.
    static let huffmanTables: UInt8 = 0xC4
    /// DAC, conditioning of arithmetic coding.
    static let arithmeticConditioning: UInt8 = 0xCC
    /// RST0 to RST7, which stand alone between entropy-coded segments.
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
    /// SOI, start of image.
    static let startOfImage: UInt8 = 0xD8
    /// EOI, end of image.
    static let endOfImage: UInt8 = 0xD9
    /// SOS, start of scan.
    static let startOfScan: UInt8 = 0xDA
    /// DQT, quantisation tables.
    static let quantisationTables: UInt8 = 0xDB
    /// DNL, the number of lines behind the first scan.
    static let numberOfLines: UInt8 = 0xDC
    /// DRI, the restart interval.
    static let restartInterval: UInt8 = 0xDD
    /// APP0 to APP15.
    static let applications: ClosedRange<UInt8> = 0xE0...0xEF
    /// COM, a comment.
    static let comment: UInt8 = 0xFE

    /// Whether a marker stands alone, or means nothing that a length would follow.
    ///
    /// - Parameter marker: The byte behind 0xFF.
    /// - Returns: Whether no segment begins with it.
    static func standsAlone(_ marker: UInt8) -> Bool {
        marker < baselineFrame || restarts.contains(marker)
            || [startOfImage, endOfImage].contains(marker)
    }

    /// Whether a segment is about something else than pixels and how they are coded, or may be.
    ///
    /// - Parameter marker: The byte behind 0xFF.
    /// - Returns: Whether it is one of APP0 to APP15 or a comment.
    static func isMetadata(_ marker: UInt8) -> Bool {
        applications.contains(marker) || marker == comment
    }

    /// The longest of the identifiers that matter, in bytes: that of profiles.
    static let longestIdentifier = 12

    /// Whether a segment of metadata says what the pixels look like: JFIF, ICC.1:2022, B.4, and
    /// Adobe's (T.872, 6.5.3).
    ///
    /// - Parameters:
    ///   - marker: The byte behind 0xFF.
    ///   - body: The segment's first bytes, at least `longestIdentifier` where there are as many.
    /// - Returns: Whether decoders need it.
    static func tellsColours(_ marker: UInt8, _ body: some Collection<UInt8>) -> Bool {
        switch marker {
        case 0xE0: body.starts(with: "JFIF\0".utf8)
        case 0xE2: body.starts(with: "ICC_PROFILE\0".utf8)
        case 0xEE: body.starts(with: "Adobe".utf8)
        default: false
        }
    }

    /// Whether a marker begins a frame of any coding process; DHT, JPG and DAC share their row.
    ///
    /// - Parameter marker: The byte behind 0xFF.
    /// - Returns: Whether it is one of SOF0 to SOF15.
    static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
}
