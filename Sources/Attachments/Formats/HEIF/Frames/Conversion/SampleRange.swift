struct SampleRange {
    let bitDepth: Int
    let black: Float
    let lumaScale: Float
    let chromaScale: Float
    /// Factor of H.273 for luma and RGB.
    let exactScale: Float
    /// Factor of H.273 for chroma.
    let exactChromaScale: Float

    /// Tone mapping uses the exact factors: libheif has no tone mapping to match.
    init(bitDepth: Int, isFull: Bool, isToneMapped: Bool) {
        self.bitDepth = bitDepth
        black = isFull ? 0 : Float(16 << (bitDepth - 8))
        // H.273, equations 30 and 31. Otherwise libheif's factors, for equal pixels: 1.1429 for 255
        // / 224 = 1.1384, and 1.1689 for 255 / 219 = 1.1644.
        let peak = Float((1 << bitDepth) - 1)
        let step = Float(1 << (bitDepth - 8))
        exactScale = isFull ? 1 : peak / (219 * step)
        exactChromaScale = isFull ? 1 : peak / (224 * step)
        lumaScale = isFull ? 1 : isToneMapped ? exactScale : 1.1689
        chromaScale = isFull ? 1 : isToneMapped ? exactChromaScale : 1.1429
    }

    var peak: Int32 { (1 << Int32(bitDepth)) - 1 }
    var neutral: Int32 { 1 << Int32(bitDepth - 1) }
    /// Left shift from more than 8 bits to 16, as in libvips' heifload.
    var shiftToFull: Int { bitDepth == 8 ? 0 : 16 - bitDepth }
    var isFull: Bool { black == 0 }

    /// Expands luma codes to full range (H.273, equation 30 solved for the sample).
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
