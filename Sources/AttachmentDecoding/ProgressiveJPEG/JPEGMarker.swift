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

    /// Whether a marker begins a frame of any coding process; DHT, JPG and DAC share their row.
    ///
    /// - Parameter marker: The byte behind 0xFF.
    /// - Returns: Whether it is one of SOF0 to SOF15.
    static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
}
