internal import AttachmentContainer

/// Peak heap of the bounded decoder for progressive JPEG.
///
/// It holds one row of MCUs of coefficients, and a reader for each scan. Measured heap, without the
/// 72 KB of the C++ runtime: 0.33 MB at 12 MP, 0.54 MB at 48 MP and 0.74 MB at 108 MP with ten
/// scans and 4:2:0; 0.95 MB at 12 MP with a hundred scans.
enum ProgressiveJPEGDemand {
    /// Per block: 64 two-byte coefficients and a mask of the nonzero ones.
    private static let block = 64.0 * 2 + 8
    /// Per scan: 4096 bytes of data with margins, its state, and a Huffman table of 512 four-byte
    /// first-level entries with 290 numbers for longer codes.
    private static let scan = 4672.0 + 512 + 3208
    /// The decoder's limit on scans; the header does not state their number.
    static let scans = 100.0
    /// Scan window, a segment of maximum length, read buffer, first-pass and encoder tables.
    private static let fixed = 65536.0 + 65536 + 20480 + 80000

    /// Upper bound on the peak heap, in bytes; it ignores the savings of a divisor of 8.
    static func bytes(width: Int, sampling: JPEGSampling, scans: Double = scans) -> Double {
        row(width: width, sampling: sampling) + scans * scan + fixed
    }

    /// Coefficients of a row of units.
    static func row(width: Int, sampling: JPEGSampling) -> Double {
        // The last MCU of a row is whole: at most 32 pixels more.
        let columns = (max(Double(width), 0) + 32) / 8
        return columns * sampling.blocks / sampling.unitWidth * block
    }
}
