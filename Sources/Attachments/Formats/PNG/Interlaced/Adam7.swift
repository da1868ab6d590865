/// The seven passes of an interlaced image (PNG specification, 8.1).
enum Adam7 {
    /// Every `columnStep`th pixel of every `rowStep`th row, from the given first ones.
    typealias Lattice = (firstColumn: Int, columnStep: Int, firstRow: Int, rowStep: Int)

    private static let lattices: [Lattice] = [
        (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2),
        (0, 1, 1, 2),
    ]

    struct Pass {
        let lattice: Lattice
        let width: Int
        let height: Int

        /// Bytes in the image data; a pass without pixels has no filter types either (8.1).
        func byteCount(in header: PNGImageHeader) -> Int {
            width == 0 ? 0 : height * (header.rowBytes(width) + 1)
        }
    }

    /// The passes of an image or a frame; one if it is not interlaced.
    static func passes(width: Int, height: Int, isInterlaced: Bool = true) -> [Pass] {
        guard isInterlaced else {
            return [Pass(lattice: (0, 1, 0, 1), width: width, height: height)]
        }
        return lattices.map { lattice in
            Pass(
                lattice: lattice,
                width: count(width, from: lattice.firstColumn, by: lattice.columnStep),
                height: count(height, from: lattice.firstRow, by: lattice.rowStep))
        }
    }

    /// Number of terms of the progression below `length`.
    private static func count(_ length: Int, from first: Int, by step: Int) -> Int {
        (length - first + step - 1) / step
    }
}
