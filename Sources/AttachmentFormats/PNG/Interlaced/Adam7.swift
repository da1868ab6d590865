/// The seven passes of an interlaced image (PNG specification, 8.1).
enum Adam7 {
    /// Pixels of each pass: every `columnStep`th pixel of every `rowStep`th row, from the given
    /// first ones.
    static let lattices: [(firstColumn: Int, columnStep: Int, firstRow: Int, rowStep: Int)] = [
        (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2),
        (0, 1, 1, 2),
    ]

    struct Pass {
        let width: Int
        let height: Int
        /// Bytes in a row, without the filter type.
        let rowBytes: Int

        /// A pass without pixels has no filter types either (8.1).
        var byteCount: Int { width == 0 ? 0 : height * (rowBytes + 1) }
    }

    static func passes(of header: PNGImageHeader) -> [Pass] {
        lattices.map { lattice in
            let width = count(header.width, from: lattice.firstColumn, by: lattice.columnStep)
            return Pass(
                width: width,
                height: count(header.height, from: lattice.firstRow, by: lattice.rowStep),
                rowBytes: header.rowBytes(width))
        }
    }

    /// Number of terms of the progression below `length`.
    static func count(_ length: Int, from first: Int, by step: Int) -> Int {
        (length - first + step - 1) / step
    }
}
