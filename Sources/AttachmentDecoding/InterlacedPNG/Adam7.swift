/// The seven passes of an interlaced picture (PNG specification, 8.1).
enum Adam7 {
    /// Which pixels a pass has: every `columnStep`th of every `rowStep`th row, from the first on.
    static let lattices: [(firstColumn: Int, columnStep: Int, firstRow: Int, rowStep: Int)] = [
        (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2),
        (0, 1, 1, 2),
    ]

    /// A pass of a picture, which is a picture of its own in the image data.
    struct Pass {
        /// Pixels in a row; 0 in narrow pictures.
        let width: Int
        /// Rows; 0 in low pictures.
        let height: Int
        /// Bytes of a row, without the filter type in front of it.
        let rowBytes: Int

        /// Bytes in the image data: a pass without pixels has none (8.1), nor filter types.
        var byteCount: Int { width == 0 ? 0 : height * (rowBytes + 1) }
    }

    /// The passes of a picture, in the order of the file.
    ///
    /// - Parameter header: The picture.
    /// - Returns: Seven passes.
    static func passes(of header: PNGImageHeader) -> [Pass] {
        lattices.map { lattice in
            let width = count(header.width, from: lattice.firstColumn, by: lattice.columnStep)
            return Pass(
                width: width,
                height: count(header.height, from: lattice.firstRow, by: lattice.rowStep),
                rowBytes: header.rowBytes(width))
        }
    }

    /// How many of the numbers below `length` a progression meets.
    static func count(_ length: Int, from first: Int, by step: Int) -> Int {
        (length - first + step - 1) / step
    }
}
