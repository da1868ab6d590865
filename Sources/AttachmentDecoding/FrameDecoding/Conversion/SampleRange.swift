/// Which codes samples use.
struct SampleRange {
    /// Bits of a sample.
    let bitDepth: Int
    /// The code of black.
    let black: Float
    /// What luma is scaled by, to fill all codes.
    let lumaScale: Float
    /// What chroma is scaled by, to fill all codes.
    let chromaScale: Float

    /// Describes a range.
    ///
    /// - Parameters:
    ///   - bitDepth: Bits of a sample, 8 to 16.
    ///   - isFull: Whether samples use all codes.
    init(bitDepth: Int, isFull: Bool) {
        self.bitDepth = bitDepth
        black = isFull ? 0 : Float(16 << (bitDepth - 8))
        // libheif's factors, so that pixels are equal to its: 255 / 224 rounded to 1.1429 for
        // chroma, and for luma 1.1689, a little more than H.273's 255 / 219 = 1.1644.
        lumaScale = isFull ? 1 : 1.1689
        chromaScale = isFull ? 1 : 1.1429
    }

    /// The highest code.
    var peak: Int32 { (1 << Int32(bitDepth)) - 1 }
    /// The code of no chroma.
    var neutral: Int32 { 1 << Int32(bitDepth - 1) }
    /// How far a code of more than 8 bits is shifted to use 16, as libvips' heifload does.
    var shiftToFull: Int { bitDepth == 8 ? 0 : 16 - bitDepth }
    /// Whether samples use all codes.
    var isFull: Bool { black == 0 }
}
