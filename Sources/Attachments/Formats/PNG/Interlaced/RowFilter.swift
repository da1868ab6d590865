/// Filters of rows (PNG specification, 9.2), reversed for all bytes of a pixel at once, with a
/// constant pixel size and the pixel to the left in a register.
enum RowFilter: UInt8 {
    case none = 0
    case sub = 1
    case up = 2
    case average = 3
    case paeth = 4

    /// On input, `row` is the row above, or zeros for the first row; both buffers need
    /// `RowBuffer.padding`, and `count` is a multiple of `unit`: 1, 2, 3, 4, 6 or 8 bytes of a
    /// pixel.
    func undo(
        _ filtered: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<UInt8>, count: Int, unit: Int
    ) {
        switch self {
        case .none:
            row.update(from: filtered, count: count)
        case .up:
            for index in 0..<count { row[index] &+= filtered[index] }
        case .sub, .average, .paeth:
            switch unit {
            case 1: undo(filtered, row, count, unit: 1)
            case 2: undo(filtered, row, count, unit: 2)
            case 3: undo(filtered, row, count, unit: 3)
            case 4: undo(filtered, row, count, unit: 4)
            case 6: undo(filtered, row, count, unit: 6)
            default: undo(filtered, row, count, unit: 8)
            }
        }
    }

    /// The filters that use the left pixel; inlined with a literal `unit`.
    @inline(__always)
    private func undo(
        _ filtered: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<UInt8>, _ count: Int,
        unit: Int
    ) {
        var left = SIMD8<Int16>.zero
        var aboveLeft = SIMD8<Int16>.zero
        switch self {
        case .sub:
            for index in stride(from: 0, to: count, by: unit) {
                left = (Pixel.load(filtered + index) &+ left) & 0xFF
                Pixel.store(left, to: row + index, unit: unit)
            }
        case .average:
            for index in stride(from: 0, to: count, by: unit) {
                let above = Pixel.load(row + index)
                left = (Pixel.load(filtered + index) &+ ((left &+ above) &>> 1)) & 0xFF
                Pixel.store(left, to: row + index, unit: unit)
            }
        default:
            for index in stride(from: 0, to: count, by: unit) {
                let above = Pixel.load(row + index)
                let nearest = Pixel.paeth(left, above, aboveLeft)
                left = (Pixel.load(filtered + index) &+ nearest) & 0xFF
                aboveLeft = above
                Pixel.store(left, to: row + index, unit: unit)
            }
        }
    }
}

/// The bytes of a pixel, one in each lane.
private enum Pixel {
    /// Loads eight bytes; those beyond the pixel are ignored.
    @inline(__always)
    static func load(_ bytes: UnsafePointer<UInt8>) -> SIMD8<Int16> {
        let eight = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self).littleEndian
        return SIMD8(truncatingIfNeeded: unsafeBitCast(eight, to: SIMD8<UInt8>.self))
    }

    /// Stores only the pixel's own bytes: the next ones still belong to the row above.
    @inline(__always)
    static func store(_ pixel: SIMD8<Int16>, to bytes: UnsafeMutablePointer<UInt8>, unit: Int) {
        let eight = unsafeBitCast(SIMD8<UInt8>(truncatingIfNeeded: pixel), to: UInt64.self)
        let raw = UnsafeMutableRawPointer(bytes)
        switch unit {
        case 1: bytes[0] = UInt8(truncatingIfNeeded: eight)
        case 2: raw.storeBytes(of: UInt16(truncatingIfNeeded: eight), as: UInt16.self)
        case 3:
            raw.storeBytes(of: UInt16(truncatingIfNeeded: eight), as: UInt16.self)
            bytes[2] = UInt8(truncatingIfNeeded: eight >> 16)
        case 4: raw.storeBytes(of: UInt32(truncatingIfNeeded: eight), as: UInt32.self)
        case 6:
            raw.storeBytes(of: UInt32(truncatingIfNeeded: eight), as: UInt32.self)
            (raw + 4).storeBytes(of: UInt16(truncatingIfNeeded: eight >> 32), as: UInt16.self)
        default: raw.storeBytes(of: eight, as: UInt64.self)
        }
    }

    /// Paeth predictor: the neighbour nearest to left + above − above left (9.4).
    @inline(__always)
    static func paeth(
        _ left: SIMD8<Int16>, _ above: SIMD8<Int16>, _ aboveLeft: SIMD8<Int16>
    ) -> SIMD8<Int16> {
        let (toLeft, toAbove) = (above &- aboveLeft, left &- aboveLeft)
        let distances = (magnitude(toLeft), magnitude(toAbove), magnitude(toLeft &+ toAbove))
        let nearest = aboveLeft.replacing(with: above, where: distances.1 .<= distances.2)
        return nearest.replacing(
            with: left, where: distances.0 .<= pointwiseMin(distances.1, distances.2))
    }

    @inline(__always)
    private static func magnitude(_ lanes: SIMD8<Int16>) -> SIMD8<Int16> {
        pointwiseMax(lanes, 0 &- lanes)
    }
}
