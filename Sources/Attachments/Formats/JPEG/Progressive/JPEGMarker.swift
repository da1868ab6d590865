/// JPEG marker codes: the byte after 0xFF (T.81, table B.1).
enum JPEGMarker {
    static let temporary: UInt8 = 0x01  // TEM, which is ignored
    static let baselineFrame: UInt8 = 0xC0  // SOF0
    static let sequentialFrame: UInt8 = 0xC1  // SOF1, extended
    static let progressiveFrame: UInt8 = 0xC2  // SOF2
    static let huffmanTables: UInt8 = 0xC4  // DHT
    static let arithmeticConditioning: UInt8 = 0xCC  // DAC
    static let restarts: ClosedRange<UInt8> = 0xD0...0xD7  // RST0 to RST7
    static let startOfImage: UInt8 = 0xD8  // SOI
    static let endOfImage: UInt8 = 0xD9  // EOI
    static let startOfScan: UInt8 = 0xDA  // SOS
    static let quantisationTables: UInt8 = 0xDB  // DQT
    static let numberOfLines: UInt8 = 0xDC  // DNL, after the first scan
    static let restartInterval: UInt8 = 0xDD  // DRI
    static let applications: ClosedRange<UInt8> = 0xE0...0xEF  // APP0 to APP15
    static let comment: UInt8 = 0xFE  // COM

    /// True for markers without a segment: stand-alone and undefined ones.
    static func standsAlone(_ marker: UInt8) -> Bool {
        marker < baselineFrame || restarts.contains(marker)
            || [startOfImage, endOfImage].contains(marker)
    }

    static func isMetadata(_ marker: UInt8) -> Bool {
        applications.contains(marker) || marker == comment
    }

    /// Longest relevant identifier, in bytes: the identifier of ICC profiles.
    static let longestIdentifier = 12

    /// Length of a JFIF segment without a thumbnail (ITU-T T.871, 10.1), in bytes.
    static let plainJFIF = 16

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
