/// Peak heap of the bounded decoder for a GIF's first frame.
///
/// It holds LZW tables and a pixel buffer, four times for interlaced frames, which the header does
/// not announce. Measured heap: 0.08 MB at 4032 pixels a row and 0.15 MB at 65,535; interlaced 0.31
/// MB and 0.56 MB. The height does not matter.
enum GIFDemand {
    /// Passes of an interlaced frame (GIF89a, appendix E), with one reader each.
    private static let readers = 4.0
    /// Per reader: 4096 strings (GIF89a, appendix F: 12-bit codes) of 8 + 4 bytes.
    private static let strings = 4096.0 * 12
    /// Per reader: the 8 KiB file window, and 4 KiB and 8 bytes of data without sub-block lengths.
    private static let data = 12_296.0
    /// Per reader, besides a row: 8 KiB of decoded pixels, the longest string and eight bytes.
    private static let advance = 12_296.0
    /// Header window of 16 KiB, three tables of 256 four-byte colours, and small objects.
    private static let fixed = 16_384.0 + 3 * 1_024 + 2_048

    /// Upper bound on the peak heap for a canvas width; frames are at most 65,536 pixels wide.
    static func bytes(width: Int) -> Double {
        let row = min(65_536, max(0, Double(width)))
        return fixed + readers * (strings + data + advance + row)
    }
}
