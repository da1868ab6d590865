/// Exact nearest-colour search in a palette.
///
/// Divides the colour space into cells of 16 levels per channel. On first use, a cell lists the
/// colours that can be nearest to any of its points, usually a handful. A small cache holds the
/// results of recent colours. The memory is reused for further palettes.
final class NearestColour {
    private static let cellCount = 1 << 12
    private static let cacheCount = 1 << 12
    /// Limit on the total length of all lists; beyond it, all lists are discarded.
    private static let poolLimit = 8 << 10

    // Owned by this object. Cell and cache numbers have 12 bits; a list has at most 255 entries and
    // begins at the limit at the latest.
    /// Per cell, the start of its list in the pool above nine bits of length; 0 for an unused cell.
    private let cells: UnsafeMutablePointer<UInt32>
    /// Colours with their index in the highest byte.
    private let pool: UnsafeMutablePointer<UInt32>
    private let cache: UnsafeMutablePointer<UInt32>
    private let points: UnsafeMutablePointer<UInt32>
    private var pointCount = 0
    private var poolCount = 0
    private(set) var palette: Palette

    init(_ palette: Palette) {
        cells = .allocate(capacity: Self.cellCount)
        pool = .allocate(capacity: Self.poolLimit + 256)
        cache = .allocate(capacity: Self.cacheCount)
        points = .allocate(capacity: 256)
        self.palette = palette
        use(palette)
    }

    deinit {
        cells.deallocate()
        pool.deallocate()
        cache.deallocate()
        points.deallocate()
    }

    /// Replaces the palette.
    func use(_ palette: Palette) {
        self.palette = palette
        cells.initialize(repeating: 0, count: Self.cellCount)
        // A colour that belongs to another slot never matches.
        cache.initialize(repeating: 1, count: Self.cacheCount)
        cache[Self.slot(of: 1)] = 0
        pointCount = palette.colours.count
        poolCount = 0
        for (index, colour) in palette.colours.enumerated() {
            points[index] = colour & 0xFF_FFFF | UInt32(index) << 24
        }
    }

    @inline(__always)
    private static func slot(of colour: UInt32) -> Int {
        // Fibonacci hashing (Knuth, volume 3, section 6.4).
        Int((colour &* 2_654_435_769) >> 20)
    }

    /// Index of the nearest palette colour; the highest byte of the colour is ignored.
    @inline(__always)
    func index(of colour: UInt32) -> UInt8 {
        let colour = colour & 0xFF_FFFF
        let slot = Self.slot(of: colour)
        let cached = cache[slot]
        if cached & 0xFF_FFFF == colour { return UInt8(cached >> 24) }
        let index = find(colour)
        cache[slot] = colour | UInt32(index) << 24
        return index
    }

    private func find(_ colour: UInt32) -> UInt8 {
        let high: UInt32 = colour >> 4
        let number = Int(high & 15 | high >> 4 & 0xF0 | high >> 8 & 0xF00)
        var cell = cells[number]
        if cell == 0 { cell = fill(number) }
        let list = pool + Int(cell >> 9)
        let (red, green, blue) = Self.channels(colour)
        var (best, bestDistance) = (UInt32(0), Int32.max)
        for place in 0..<Int(cell & 511) {
            let point = list[place]
            let (pointRed, pointGreen, pointBlue) = Self.channels(point)
            let distance = ColourDistance.square(
                red &- pointRed, green &- pointGreen, blue &- pointBlue)
            if distance < bestDistance { (best, bestDistance) = (point, distance) }
        }
        return UInt8(best >> 24)
    }

    /// Index of the nearest palette colour; channels are 0 to 255.
    @inline(__always)
    func index(of colour: SIMD3<Float>) -> Int {
        let rounded = SIMD3<UInt32>(colour, rounding: .toNearestOrEven)
        return Int(index(of: rounded.x | rounded.y << 8 | rounded.z << 16))
    }

    func colour(_ index: Int) -> SIMD3<Float> {
        let (red, green, blue) = Self.channels(points[index])
        return SIMD3(Float(red), Float(green), Float(blue))
    }

    @inline(__always)
    private static func channels(_ colour: UInt32) -> (Int32, Int32, Int32) {
        (
            Int32(truncatingIfNeeded: colour & 255), Int32(truncatingIfNeeded: colour >> 8 & 255),
            Int32(truncatingIfNeeded: colour >> 16 & 255)
        )
    }

    private func fill(_ number: Int) -> UInt32 {
        if poolCount > Self.poolLimit {
            poolCount = 0
            cells.update(repeating: 0, count: Self.cellCount)
        }
        let red = Int32(number & 15) << 4
        let green = Int32(number >> 4 & 15) << 4
        let blue = Int32(number >> 8) << 4
        var limit = Int32.max
        for index in 0..<pointCount {
            let (pointRed, pointGreen, pointBlue) = Self.channels(points[index])
            limit = min(
                limit,
                ColourDistance.square(
                    Self.farthest(pointRed &- red), Self.farthest(pointGreen &- green),
                    Self.farthest(pointBlue &- blue)))
        }
        let start = poolCount
        for index in 0..<pointCount {
            let (pointRed, pointGreen, pointBlue) = Self.channels(points[index])
            let nearest = ColourDistance.square(
                Self.nearest(pointRed &- red), Self.nearest(pointGreen &- green),
                Self.nearest(pointBlue &- blue))
            if nearest <= limit {
                pool[poolCount] = points[index]
                poolCount &+= 1
            }
        }
        let cell = UInt32(start) << 9 | UInt32(poolCount - start)
        cells[number] = cell
        return cell
    }

    /// Largest distance of a level, relative to the first of a cell, to the cell's levels.
    @inline(__always)
    private static func farthest(_ level: Int32) -> Int32 { max(level, 15 &- level) }

    /// Smallest such distance.
    @inline(__always)
    private static func nearest(_ level: Int32) -> Int32 { max(max(0 &- level, level &- 15), 0) }
}
