/// Rows of a picture as stored, before cropping and orientation.
protocol StoredRows: AnyObject {
    /// Samples per pixel.
    var bands: Int { get }
    var bytesPerSample: Int { get }
    var pixelBytes: Int { get }
    /// True if PQ or HLG was tone-mapped to sRGB.
    var isToneMapped: Bool { get }
    /// Width of a tile, in pixels.
    var tileWidth: Int { get }

    /// Decodes the tiles that cover a part of the picture, and releases all others.
    ///
    /// Both ranges are inside the picture and are not empty.
    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault)

    /// Reads pixels of a held row; `row` has room for `pixelBytes` each.
    func readRow(_ y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer)
}
