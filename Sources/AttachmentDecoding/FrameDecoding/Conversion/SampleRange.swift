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
    /// The factor of H.273 that luma, red, green and blue fill all codes by.
    let exactScale: Float
    /// The factor of H.273 that chroma fills all codes by.
    let exactChromaScale: Float

    /// Describes a range.
    ///
    /// - Parameters:
    ///   - bitDepth: Bits of a sample, 8 to 16.
    ///   - isFull: Whether samples use all codes.
    ///   - isToneMapped: Whether codes are tone-mapped after, which libheif does not do, so that
    ///     nothing is gained by its factors.
    init(bitDepth: Int, isFull: Bool, isToneMapped: Bool) {
        self.bitDepth = bitDepth
        black = isFull ? 0 : Float(16 << (bitDepth - 8))
        // H.273, equations 30 and 31, and libheif's factors, so that pixels are equal to its:
        // 255 / 224 = 1.1384 is 1.1429 there, and 255 / 219 = 1.1644 is 1.1689.
        let peak = Float((1 << bitDepth) - 1)
        let step = Float(1 << (bitDepth - 8))
        exactScale = isFull ? 1 : peak / (219 * step)
        exactChromaScale = isFull ? 1 : peak / (224 * step)
        lumaScale = isFull ? 1 : isToneMapped ? exactScale : 1.1689
        chromaScale = isFull ? 1 : isToneMapped ? exactChromaScale : 1.1429
    }

    /// The highest code.
    var peak: Int32 { (1 << Int32(bitDepth)) - 1 }
    /// The code of no chroma.
    var neutral: Int32 { 1 << Int32(bitDepth - 1) }
    /// How far a code of more than 8 bits is shifted to use 16, as libvips' heifload does.
    var shiftToFull: Int { bitDepth == 8 ? 0 : 16 - bitDepth }
    /// Whether samples use all codes.
    var isFull: Bool { black == 0 }

    /// Takes luma codes to all codes (H.273, equation 30 resolved).
    ///
    /// - Parameters:
    ///   - luma: The codes.
    ///   - count: How many.
    ///   - out: Room for as many.
    func fill<Sample: FixedWidthInteger & UnsignedInteger>(
        _ luma: UnsafePointer<Sample>, _ count: Int, into out: UnsafeMutablePointer<Sample>
    ) {
        guard !isFull else { return out.update(from: luma, count: count) }
        let peak = Float(peak)
        for index in 0..<count {
            let value = (Float(luma[index]) - black) * exactScale
            out[index] = Sample(min(max(value + 0.5, 0), peak))
        }
    }
}
