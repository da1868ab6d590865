/// How often colours occur, in cells of eight levels of red, green and blue each.
///
/// A cell knows the mean of its colours, so that a picture of few colours keeps them.
final class ColourHistogram {
    /// Bits of each sample that tell the cell: 32,768 cells, enough for palettes of 256 colours.
    private static let bits = 5

    /// The colours of a cell, added up.
    struct Cell {
        var count: UInt32 = 0
        var red: UInt32 = 0
        var green: UInt32 = 0
        var blue: UInt32 = 0
    }

    private var cells: [Cell]
    /// How many colours were counted.
    private(set) var count = 0
    /// As many colours may be counted as a sum in 32 bits surely holds.
    private static let limit = Int(UInt32.max) / 256

    /// Makes an empty histogram.
    init() { cells = Array(repeating: Cell(), count: 1 << (3 * Self.bits)) }

    /// Counts a colour, unless too many were counted.
    ///
    /// - Parameter pixel: Red, green and blue from the lowest byte on.
    @inline(__always)
    func add(_ pixel: UInt32) {
        guard count < Self.limit else { return }
        count &+= 1
        let (red, green, blue) = (pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255)
        let index = Int(red >> 3 | (green >> 3) << 5 | (blue >> 3) << 10)
        cells.withUnsafeMutableBufferPointer { cells in
            cells[index].count &+= 1
            cells[index].red &+= red
            cells[index].green &+= green
            cells[index].blue &+= blue
        }
    }

    /// Forgets everything.
    func clear() {
        count = 0
        cells.withUnsafeMutableBufferPointer { $0.update(repeating: Cell()) }
    }

    /// How many cells have colours.
    var entryCount: Int { cells.reduce(0) { $0 + ($1.count > 0 ? 1 : 0) } }

    /// Goes through the cells that have colours.
    ///
    /// - Parameter body: Gets the mean of each: red, green and blue, and how many they are.
    func forEach(_ body: (SIMD4<Float>) -> Void) {
        for cell in cells where cell.count > 0 {
            let weight = Float(cell.count)
            let sum = SIMD3(Float(cell.red), Float(cell.green), Float(cell.blue))
            body(SIMD4(sum / weight, weight))
        }
    }
}
