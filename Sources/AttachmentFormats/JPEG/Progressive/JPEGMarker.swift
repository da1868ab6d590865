/// JPEG marker codes: the byte after 0xFF (T.81, table B.1).
enum JPEGMarker {
    /// TEM, which stands alone and is ignored.
    static let temporary: UInt8 = 0x01
    /// SOF0, a baseline frame.
    static let baselineFrame: UInt8 = 0xC0
    /// SOF1, an extended sequential frame.
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
    /// DNL, the number of lines, after the first scan.
    static let numberOfLines: UInt8 = 0xDC
    /// DRI, the restart interval.
    static let restartInterval: UInt8 = 0xDD
    /// APP0 to APP15.
    static let applications: ClosedRange<UInt8> = 0xE0...0xEF
    /// COM, a comment.
    static let comment: UInt8 = 0xFE

    /// True for markers without a segment: stand-alone and undefined ones.
    static func standsAlone(_ marker: UInt8) -> Bool {
        marker < baselineFrame || restarts.contains(marker)
            || [startOfImage, endOfImage].contains(marker)
    }

    /// True for application segments and comments, which hold no pixel data.
    static func isMetadata(_ marker: UInt8) -> Bool {
        applications.contains(marker) || marker == comment
    }

    /// Longest relevant identifier in bytes: that of ICC profiles.
    static let longestIdentifier = 12

    /// True for JFIF, ICC profiles (ICC.1:2022, B.4) and Adobe (T.872, 6.5.3); `body` may be cut to
    /// ``longestIdentifier`` bytes.
    static func affectsColour(_ marker: UInt8, _ body: some Collection<UInt8>) -> Bool {
        switch marker {
        case 0xE0: body.starts(with: "JFIF\0".utf8)
        case 0xE2: body.starts(with: "ICC_PROFILE\0".utf8)
        case 0xEE: body.starts(with: "Adobe".utf8)
        default: false
        }
    }

    /// True for SOF0 to SOF15; DHT, JPG and DAC are in the same range.
    static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
}
