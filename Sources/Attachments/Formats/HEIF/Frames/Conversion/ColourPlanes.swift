struct ColourPlanes<Sample: FixedWidthInteger & UnsignedInteger> {
    var red: UnsafeMutablePointer<Sample>
    var green: UnsafeMutablePointer<Sample>
    var blue: UnsafeMutablePointer<Sample>

    /// Writes `3 * count` interleaved samples, each shifted left by `shift` bits.
    @inline(__always)
    func interleave(_ count: Int, shift: Int, into out: UnsafeMutableRawPointer) {
        // 16-bit samples may be at odd addresses.
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
