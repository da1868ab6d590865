/// A picture that a bounded decoder gives row by row, from top to bottom, once.
///
/// Giving a row takes bounded time, so that whoever reads stops a decode by asking for no more rows.
/// It is not `Sendable`: one thread reads at a time.
package protocol DecodedRows: AnyObject {
    /// How the rows lie in memory.
    var layout: RowLayout { get }
    /// The ICC profile of the samples; nil when the file has none.
    var profile: [UInt8]? { get }
    /// Writes the next row.
    ///
    /// - Parameter row: Room for exactly `layout.rowBytes`.
    /// - Throws: `DecodingFault`. Every later call throws too.
    func readRow(into row: UnsafeMutableRawBufferPointer) throws(DecodingFault)
}

/// How the rows of a decoded picture lie in memory: interleaved samples, without padding.
package struct RowLayout: Hashable, Sendable {
    /// Pixels in a row.
    package var width: Int
    /// Rows in the picture.
    package var height: Int
    /// Samples of a pixel: 1 for grey, 2 for grey and alpha, 3 for red, green and blue, 4 with alpha
    /// or for inks.
    ///
    /// Alpha is never premultiplied.
    package var bands: Int
    /// 1, or 2 for samples in the machine's byte order that use all 16 bits.
    package var bytesPerSample: Int
    /// Whether four samples are cyan, magenta, yellow and black, each as much as there is ink.
    package var isCMYK: Bool

    /// Makes a layout.
    ///
    /// - Parameters:
    ///   - width: Pixels in a row, at least 1.
    ///   - height: Rows, at least 1.
    ///   - bands: Samples of a pixel, 1 to 4.
    ///   - bytesPerSample: 1 or 2. The default is 1.
    ///   - isCMYK: Whether four samples are inks. The default is false.
    package init(
        width: Int, height: Int, bands: Int, bytesPerSample: Int = 1, isCMYK: Bool = false
    ) {
        self.width = width
        self.height = height
        self.bands = bands
        self.bytesPerSample = bytesPerSample
        self.isCMYK = isCMYK
    }

    /// What one row takes, in bytes.
    package var rowBytes: Int { width * bands * bytesPerSample }
}
