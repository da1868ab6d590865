/// The rows of a picture as it is stored, before it is cropped and turned.
protocol StoredRows: AnyObject {
    /// Samples of a pixel.
    var bands: Int { get }
    /// What a sample takes, in bytes.
    var bytesPerSample: Int { get }
    /// What a pixel takes, in bytes.
    var pixelBytes: Int { get }
    /// Whether PQ or HLG samples were brought to the range of sRGB.
    var isToneMapped: Bool { get }
    /// The width of a tile, in pixels: the columns that are decoded together.
    var tileWidth: Int { get }

    /// Decodes what is missing of a part of the picture, and lets go what lies outside.
    ///
    /// - Parameters:
    ///   - columns: Pixels across, inside the picture, at least one.
    ///   - rows: Pixels down, inside the picture, at least one.
    /// - Throws: `DecodingFault`.
    func hold(columns: Range<Int>, rows: Range<Int>) throws(DecodingFault)

    /// Reads a row of a part that is held.
    ///
    /// - Parameters:
    ///   - y: The row of the picture.
    ///   - columns: Which of its pixels.
    ///   - row: Room for the pixels, `pixelBytes` each.
    func readRow(_ y: Int, columns: Range<Int>, into row: UnsafeMutableRawBufferPointer)
}
