/// Colour histogram with cells of eight levels of red and green, and sixteen of blue, which the eye
/// distinguishes least.
///
/// Each cell keeps the mean of its colours, so images of few colours keep them exactly. Clearing and
/// reading take time for the used cells only.
final class ColourHistogram {
    /// Five bits each of red and green, and four of blue.
    private static let cellCount = 1 << 14

    private struct Cell {
        var count: UInt32 = 0
        var red: UInt32 = 0
        var green: UInt32 = 0
        var blue: UInt32 = 0
    }

    // Owned by this object; an index has 14 bits, and each cell is used once.
    private let cells: UnsafeMutablePointer<Cell>
    private let used: UnsafeMutablePointer<UInt16>
    /// Number of used cells.
    private(set) var entryCount = 0
    private var count = 0
    /// Limit on counted colours, so that sums fit in 32 bits.
    private static let limit = Int(UInt32.max) / 256

    init() {
        cells = .allocate(capacity: Self.cellCount)
        cells.initialize(repeating: Cell(), count: Self.cellCount)
        used = .allocate(capacity: Self.cellCount)
        used.initialize(repeating: 0, count: Self.cellCount)
    }

    deinit {
        cells.deallocate()
        used.deallocate()
    }

    /// Counts a pixel with red in the lowest byte.
    @inline(__always)
    func add(_ pixel: UInt32) {
        guard count < Self.limit else { return }
        count &+= 1
        let (red, green, blue) = (pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255)
        let index = Int(red >> 3 | (green >> 3) << 5 | (blue >> 4) << 10)
        if cells[index].count == 0 {
            used[entryCount] = UInt16(truncatingIfNeeded: index)
            entryCount &+= 1
        }
        cells[index].count &+= 1
        cells[index].red &+= red
        cells[index].green &+= green
        cells[index].blue &+= blue
    }

    func clear() {
        for place in 0..<entryCount { cells[Int(used[place])] = Cell() }
        (count, entryCount) = (0, 0)
    }

    /// Calls `body` with the mean colour of every used cell and its number of pixels.
    @inline(__always)
    func forEach(_ body: (SIMD4<Float>) -> Void) {
        for place in 0..<entryCount {
            let cell = cells[Int(used[place])]
            let weight = Float(cell.count)
            let sum = SIMD3(Float(cell.red), Float(cell.green), Float(cell.blue))
            body(SIMD4(sum / weight, weight))
        }
    }
}
