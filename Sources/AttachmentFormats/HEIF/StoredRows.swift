protocol StoredRows: AnyObject {
    var bands: Int { get }
    var bytesPerSample: Int { get }
    /// True if PQ or HLG was tone-mapped to sRGB.
    var isToneMapped: Bool { get }
    var tileWidth: Int { get }

    /// Decodes the tiles that cover a part of the picture, and releases all others.
    ///
    /// Both ranges are inside the picture and are not empty.
    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault)

    /// Reads pixels of a held row; `row` has room for `pixelBytes` each.
    func readRow(_ y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer)
}

extension StoredRows {
    var pixelBytes: Int { bands * bytesPerSample }
}

/// Transposition of a stored picture, for orientations that exchange its sides.
protocol Transposing: AnyObject {
    /// Writes output row `next`, made from a column of `stored`; rows are requested in order.
    func readRow(
        _ next: Int, of stored: any StoredRows, into row: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault)
}
