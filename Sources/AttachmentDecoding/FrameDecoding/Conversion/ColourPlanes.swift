/// Red, green and blue of a stretch of a row, apart.
struct ColourPlanes<Sample: FixedWidthInteger & UnsignedInteger> {
    /// Red codes.
    var red: UnsafeMutablePointer<Sample>
    /// Green codes.
    var green: UnsafeMutablePointer<Sample>
    /// Blue codes.
    var blue: UnsafeMutablePointer<Sample>

    /// Writes pixels as red, green and blue.
    ///
    /// - Parameters:
    ///   - count: Pixels.
    ///   - shift: How far codes are shifted up.
    ///   - out: Room for `3 * count` samples.
    @inline(__always)
    func interleave(_ count: Int, shift: Int, into out: UnsafeMutableRawPointer) {
        // Samples may lie at odd addresses in rows of two bytes a sample.
        let size = MemoryLayout<Sample>.stride
        let shift = Sample(truncatingIfNeeded: shift)
        for x in 0..<count {
            let pixel = out + 3 &* x &* size
            pixel.storeBytes(of: red[x] &<< shift, as: Sample.self)
            pixel.storeBytes(of: green[x] &<< shift, toByteOffset: size, as: Sample.self)
            pixel.storeBytes(of: blue[x] &<< shift, toByteOffset: 2 &* size, as: Sample.self)
        }
    }
}
