/// Writes pixels as interleaved samples.
enum PixelSamples {
    /// Writes red, green and blue.
    ///
    /// - Parameters:
    ///   - pixels: Alpha in the highest byte, then red, green and blue.
    ///   - count: How many, at least 1.
    ///   - row: Three bytes for each.
    static func writeRGB(
        _ pixels: UnsafePointer<UInt32>, count: Int, to row: UnsafeMutableRawBufferPointer
    ) {
        guard let base = row.baseAddress, row.count >= 3 * count else { return }
        // Four bytes each, of which the fourth is that of the next pixel; so the last goes alone.
        for index in 0..<count - 1 {
            let sample = pixels[index].byteSwapped &>> 8
            base.storeBytes(of: sample.littleEndian, toByteOffset: 3 &* index, as: UInt32.self)
        }
        let last = pixels[count - 1]
        row[3 * count - 3] = UInt8(truncatingIfNeeded: last >> 16)
        row[3 * count - 2] = UInt8(truncatingIfNeeded: last >> 8)
        row[3 * count - 1] = UInt8(truncatingIfNeeded: last)
    }

    /// Writes red, green, blue and alpha.
    ///
    /// - Parameters:
    ///   - pixels: Alpha in the highest byte, then red, green and blue.
    ///   - count: How many.
    ///   - row: Four bytes for each.
    static func writeRGBA(
        _ pixels: UnsafePointer<UInt32>, count: Int, to row: UnsafeMutableRawBufferPointer
    ) {
        guard let base = row.baseAddress, row.count >= 4 * count else { return }
        for index in 0..<count {
            let pixel = pixels[index]
            // Red and blue change places.
            let sample = pixel & 0xFF00_FF00 | pixel &>> 16 & 0xFF | (pixel & 0xFF) &<< 16
            base.storeBytes(of: sample.littleEndian, toByteOffset: 4 &* index, as: UInt32.self)
        }
    }
}
