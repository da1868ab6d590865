/// The filter types of rows (PNG specification, 9.2), undone.
///
/// The loops run over pixels of a number of bytes that the compiler knows, all bytes of a pixel at
/// once: what stands left of a pixel stays in a register.
enum RowFilter: UInt8 {
    case none = 0
    case sub = 1
    case up = 2
    case average = 3
    case paeth = 4

    /// Undoes the filter of a row.
    ///
    /// - Parameters:
    ///   - filtered: The row as the file has it, and `RowBuffer.padding` bytes.
    ///   - row: The row above, of zeros above the first one, and as many bytes; becomes the row.
    ///   - count: Bytes of the row, a multiple of `unit`.
    ///   - unit: The bytes of a whole pixel, 1 where that is less: 1, 2, 3, 4, 6 or 8.
    func undo(
        _ filtered: UnsafePointer<UInt8>, _ row: UnsafeMutablePointer<UInt8>, count: Int,
        unit: Int
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

    /// The three filters that look to the left, for a unit that is a literal where this is inlined.
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
    /// Reads eight bytes, of which those beyond the pixel do not matter.
    @inline(__always)
    static func load(_ bytes: UnsafePointer<UInt8>) -> SIMD8<Int16> {
        let eight = UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self).littleEndian
        return SIMD8(truncatingIfNeeded: unsafeBitCast(eight, to: SIMD8<UInt8>.self))
    }

    /// Writes the bytes of the pixel and no others: the next pixel's are still the row above.
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

    /// Which of three neighbours is nearest to left + above − above left (9.4).
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
