/// Converts ARGB pixels to interleaved samples.
enum PixelSamples {
    /// Writes three bytes per pixel: red, green, blue.
    ///
    /// At least one pixel.
    static func writeRGB(
        _ pixels: UnsafePointer<UInt32>, count: Int, to row: UnsafeMutableRawBufferPointer
    ) {
        guard let base = row.baseAddress, row.count >= 3 * count else { return }
        // Each store writes four bytes, one of them the next pixel's, so the last pixel is
        // separate.
        for index in 0..<count - 1 {
            let sample = pixels[index].byteSwapped &>> 8
            base.storeBytes(of: sample.littleEndian, toByteOffset: 3 &* index, as: UInt32.self)
        }
        let last = pixels[count - 1]
        row[3 * count - 3] = UInt8(truncatingIfNeeded: last >> 16)
        row[3 * count - 2] = UInt8(truncatingIfNeeded: last >> 8)
        row[3 * count - 1] = UInt8(truncatingIfNeeded: last)
    }

    /// Writes four bytes per pixel: red, green, blue, alpha.
    static func writeRGBA(
        _ pixels: UnsafePointer<UInt32>, count: Int, to row: UnsafeMutableRawBufferPointer
    ) {
        guard let base = row.baseAddress, row.count >= 4 * count else { return }
        for index in 0..<count {
            let pixel = pixels[index]
            // Swaps red and blue.
            let sample = pixel & 0xFF00_FF00 | pixel &>> 16 & 0xFF | (pixel & 0xFF) &<< 16
            base.storeBytes(of: sample.littleEndian, toByteOffset: 4 &* index, as: UInt32.self)
        }
    }
}
