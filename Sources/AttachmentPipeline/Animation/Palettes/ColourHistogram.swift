/// Colour histogram with cells of eight levels per channel.
///
/// Each cell keeps the mean of its colours, so images of few colours keep them exactly.
final class ColourHistogram {
    /// Bits per channel that select the cell: 32,768 cells, enough for 256 colours.
    private static let bits = 5

    struct Cell {
        var count: UInt32 = 0
        var red: UInt32 = 0
        var green: UInt32 = 0
        var blue: UInt32 = 0
    }

    private var cells: [Cell]
    private(set) var count = 0
    /// Limit on counted colours, so that sums fit in 32 bits.
    private static let limit = Int(UInt32.max) / 256

    init() { cells = Array(repeating: Cell(), count: 1 << (3 * Self.bits)) }

    /// Counts a pixel with red in the lowest byte.
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

    func clear() {
        count = 0
        cells.withUnsafeMutableBufferPointer { $0.update(repeating: Cell()) }
    }

    var entryCount: Int { cells.reduce(0) { $0 + ($1.count > 0 ? 1 : 0) } }

    func forEach(_ body: (SIMD4<Float>) -> Void) {
        for cell in cells where cell.count > 0 {
            let weight = Float(cell.count)
            let sum = SIMD3(Float(cell.red), Float(cell.green), Float(cell.blue))
            body(SIMD4(sum / weight, weight))
        }
    }
}
