/// Converts decoded strips and tiles to output rows.
struct TIFFConversion {
    private let bits: Int
    private let isFloat: Bool
    /// Samples of a coded pixel; 1 where each sample has strips or tiles of its own.
    private let samples: Int
    private let bands: Int
    private let is16Bit: Bool
    private let palette: [UInt8]?
    private let isInverted: Bool
    private let isPremultiplied: Bool

    /// Prepares the conversion.
    ///
    /// - Parameter pixels: What the samples are.
    init(_ pixels: TIFFPixels) {
        bits = pixels.bits
        isFloat = pixels.isFloat
        samples = pixels.isSeparate ? 1 : pixels.samples
        bands = pixels.layout.bands
        is16Bit = pixels.layout.bytesPerSample == 2
        palette = pixels.palette
        isInverted = pixels.isInverted
        isPremultiplied = pixels.isPremultiplied
    }

    /// Whether coded and output pixels have the same size, so that decoding in place is possible.
    var isInPlace: Bool { palette == nil && bits <= 16 && samples == bands }

    /// Converts interleaved pixels, beginning at a byte.
    ///
    /// - Parameters:
    ///   - coded: At the first pixel; as many bytes as `count` pixels have.
    ///   - count: How many pixels.
    ///   - pixels: Room for as many; it may be `coded` when `isInPlace`.
    func convert(
        _ coded: UnsafeRawPointer, count: Int, to pixels: UnsafeMutableRawPointer
    ) {
        if let palette {
            return palette.withUnsafeBufferPointer { colours in
                look(up: coded, count: count, in: colours, to: pixels)
            }
        }
        if !isInPlace {
            for band in 0..<bands {
                place(coded + band * bits / 8, asBand: band, count: count, in: pixels)
            }
        } else if coded != UnsafeRawPointer(pixels) {
            pixels.copyMemory(from: coded, byteCount: count * bands * bits / 8)
        }
        finish(pixels, count: count)
    }

    /// Writes one band of the output pixels, in 8 or 16 bits.
    ///
    /// - Parameters:
    ///   - coded: The band's sample of the first coded pixel.
    ///   - band: Its place in an output pixel.
    ///   - count: How many pixels.
    ///   - pixels: Room for as many.
    func place(
        _ coded: UnsafeRawPointer, asBand band: Int, count: Int,
        in pixels: UnsafeMutableRawPointer
    ) {
        switch bits {
        case 32 where isFloat:
            scatter(coded, band, count, pixels) { (value: Float) in
                // Not a number is not greater than 0.
                value > 0 ? UInt16(min(value, 1) * 65_535 + 0.5) : 0
            }
        case 32:
            scatter(coded, band, count, pixels) { (value: UInt32) in
                UInt16(truncatingIfNeeded: value &>> 16)
            }
        case 16:
            scatter(coded, band, count, pixels) { (value: UInt16) in value }
        default:
            scatter(coded, band, count, pixels) { (value: UInt8) in value }
        }
    }

    @inline(__always)
    private func scatter<Coded, Sample>(
        _ coded: UnsafeRawPointer, _ band: Int, _ count: Int, _ pixels: UnsafeMutableRawPointer,
        _ convert: (Coded) -> Sample
    ) {
        let values = coded.assumingMemoryBound(to: Coded.self)
        let output = pixels.assumingMemoryBound(to: Sample.self)
        for pixel in 0..<count {
            output[pixel &* bands &+ band] = convert(values[pixel &* samples])
        }
    }

    /// Converts samples in place that are interleaved already.
    func finish(_ pixels: UnsafeMutableRawPointer, count: Int) {
        guard isInverted || isPremultiplied else { return }
        if is16Bit {
            let samples = pixels.assumingMemoryBound(to: UInt16.self)
            if isInverted { invert(samples, count: count) }
            if isPremultiplied { unpremultiply(samples, count: count, largest: 65535) }
        } else {
            let samples = pixels.assumingMemoryBound(to: UInt8.self)
            if isInverted { invert(samples, count: count) }
            if isPremultiplied { unpremultiply(samples, count: count, largest: 255) }
        }
    }

    /// Replaces packed values by their colours.
    private func look(
        up coded: UnsafeRawPointer, count: Int, in colours: UnsafeBufferPointer<UInt8>,
        to pixels: UnsafeMutableRawPointer
    ) {
        // `colours` has `bands` bytes for every value of `bits` bits, and `mask` keeps to those.
        let mask = 1 << bits - 1
        let values = coded.assumingMemoryBound(to: UInt8.self)
        let samples = pixels.assumingMemoryBound(to: UInt8.self)
        for pixel in 0..<count {
            let position = pixel &* bits
            // The first pixel has the highest bits (TIFF 6.0, fill order 1).
            let shift = 8 &- bits &- position & 7
            let value = Int(values[position >> 3]) >> shift & mask
            if bands == 1 {
                samples[pixel] = colours[value]
            } else {
                samples[3 &* pixel] = colours[3 &* value]
                samples[3 &* pixel &+ 1] = colours[3 &* value &+ 1]
                samples[3 &* pixel &+ 2] = colours[3 &* value &+ 2]
            }
        }
    }

    /// Counts the first sample of each pixel from black.
    private func invert<Sample: FixedWidthInteger>(
        _ samples: UnsafeMutablePointer<Sample>, count: Int
    ) {
        for index in stride(from: 0, to: count &* bands, by: bands) {
            samples[index] = .max &- samples[index]
        }
    }

    /// Divides the colours by the alpha behind them, as libvips does: in single precision, cut to
    /// integers (`vips_unpremultiply` and `vips_cast`).
    private func unpremultiply<Sample: FixedWidthInteger>(
        _ samples: UnsafeMutablePointer<Sample>, count: Int, largest: Double
    ) {
        for start in stride(from: 0, to: count &* bands, by: bands) {
            let alpha = samples[start &+ bands &- 1]
            let factor: Float = alpha == 0 ? 0 : Float(largest / Double(alpha))
            for index in start..<start &+ bands &- 1 {
                samples[index] = Sample(min(factor * Float(samples[index]), Float(largest)))
            }
        }
    }
}
