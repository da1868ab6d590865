/// What the bounded decoder of a GIF's first picture holds at its peak.
///
/// It holds the LZW tables and some pixels in advance, four times over when rows come in four
/// passes, which the header does not tell. Measured (heap): 0.08 MB at 4032 pixels a row and
/// 0.15 MB at 65,535; interlaced 0.31 MB and 0.56 MB; the height does not matter.
enum GIFDemand {
    /// The passes of an interlaced frame (GIF89a, appendix E), with a reader each.
    private static let readers = 4.0
    /// Of a reader: 4096 strings (GIF89a, appendix F: codes of up to twelve bits) of eight bytes and
    /// a link of four.
    private static let strings = 4096.0 * 12
    /// Of a reader: the window that the file is read with, 8 KiB, and data without the lengths of
    /// sub-blocks, 4 KiB and 8 bytes.
    private static let data = 12_296.0
    /// Of a reader, beside a row: 8 KiB of pixels in advance, the longest string and eight bytes.
    private static let advance = 12_296.0
    /// The window that the header is read with, 16 KiB, three tables of 256 colours, four bytes
    /// each, and the objects around all of this.
    private static let fixed = 16_384.0 + 3 * 1_024 + 2_048

    /// Bounds the heap that the decoder holds at its peak.
    ///
    /// - Parameter width: Of the canvas, in pixels; frames are no wider. None is wider than 65,536.
    /// - Returns: Bytes.
    static func bytes(width: Int) -> Double {
        let row = min(65_536, max(0, Double(width)))
        return fixed + readers * (strings + data + advance + row)
    }
}
