/// Luma and chroma of part of a row, with one chroma sample per pixel.
///
/// Pointers do not alias the output, so that the compiler vectorises the loops.
struct YCbCrRow<Sample: FixedWidthInteger & UnsignedInteger> {
    var luma: UnsafePointer<Sample>
    var blue: UnsafePointer<Sample>
    var red: UnsafePointer<Sample>
    var count: Int

    @inline(__always)
    func converted(
        by matrix: ColourMatrix, range: SampleRange, into out: ColourPlanes<Sample>
    ) -> ColourPlanes<Sample> {
        switch matrix {
        case .weighted(let weights): convert(weights, range, out)
        case .constantLuminance(let luminance): convert(luminance, range, out)
        case .identity: convertIdentity(range, out)
        case .yCgCo: convertYCgCo(range, out)
        case .reversibleYCgCo(let extraBits): convertReversible(extraBits, range, out)
        }
        return out
    }

    @inline(__always)
    private func convert(
        _ weights: ChromaWeights, _ range: SampleRange, _ out: ColourPlanes<Sample>
    ) {
        let (neutral, peak) = (range.neutral, Float(range.peak))
        for x in 0..<count {
            // libheif's order of operations, because each rounds.
            let y = (Self.float(luma[x]) - range.black) * range.lumaScale
            let cb = Float(Int32(truncatingIfNeeded: blue[x]) &- neutral) * range.chromaScale
            let cr = Float(Int32(truncatingIfNeeded: red[x]) &- neutral) * range.chromaScale
            out.red[x] = Self.code(y + weights.redOfRed * cr, peak)
            out.green[x] = Self.code(y + weights.greenOfBlue * cb + weights.greenOfRed * cr, peak)
            out.blue[x] = Self.code(y + weights.blueOfBlue * cb, peak)
        }
    }

    private func convert(
        _ luminance: ConstantLuminance, _ range: SampleRange, _ out: ColourPlanes<Sample>
    ) {
        let (neutral, peak) = (range.neutral, Float(range.peak))
        for x in 0..<count {
            let colour = luminance.colour(
                luma: (Self.float(luma[x]) - range.black) * range.exactScale / peak,
                blue: Float(Int32(truncatingIfNeeded: blue[x]) &- neutral) * range.exactChromaScale
                    / peak,
                red: Float(Int32(truncatingIfNeeded: red[x]) &- neutral) * range.exactChromaScale
                    / peak)
            out.red[x] = Self.code(colour.x * peak, peak)
            out.green[x] = Self.code(colour.y * peak, peak)
            out.blue[x] = Self.code(colour.z * peak, peak)
        }
    }

    @inline(__always)
    private func convertIdentity(_ range: SampleRange, _ out: ColourPlanes<Sample>) {
        let peak = Float(range.peak)
        for x in 0..<count {
            out.red[x] = Self.identity(red[x], range, peak)
            out.green[x] = Self.identity(luma[x], range, peak)
            out.blue[x] = Self.identity(blue[x], range, peak)
        }
    }

    @inline(__always)
    private static func identity(_ code: Sample, _ range: SampleRange, _ peak: Float) -> Sample {
        range.isFull ? code : Self.code((float(code) - range.black) * range.exactScale, peak)
    }

    @inline(__always)
    private func convertYCgCo(_ range: SampleRange, _ out: ColourPlanes<Sample>) {
        guard range.isFull else { return convertLimitedYCgCo(range, out) }
        let (neutral, peak) = (range.neutral, range.peak)
        for x in 0..<count {
            // H.273, equations 45 to 48 solved for RGB.
            let y = Int32(truncatingIfNeeded: luma[x])
            let cg = Int32(truncatingIfNeeded: blue[x]) &- neutral
            let co = Int32(truncatingIfNeeded: red[x]) &- neutral
            out.red[x] = Sample(truncatingIfNeeded: min(max(y &- cg &+ co, 0), peak))
            out.green[x] = Sample(truncatingIfNeeded: min(max(y &+ cg, 0), peak))
            out.blue[x] = Sample(truncatingIfNeeded: min(max(y &- cg &- co, 0), peak))
        }
    }

    @inline(__always)
    private func convertLimitedYCgCo(_ range: SampleRange, _ out: ColourPlanes<Sample>) {
        let (neutral, peak) = (range.neutral, Float(range.peak))
        for x in 0..<count {
            let y = (Self.float(luma[x]) - range.black) * range.exactScale
            let cg = Float(Int32(truncatingIfNeeded: blue[x]) &- neutral) * range.exactChromaScale
            let co = Float(Int32(truncatingIfNeeded: red[x]) &- neutral) * range.exactChromaScale
            out.red[x] = Self.code(y - cg + co, peak)
            out.green[x] = Self.code(y + cg, peak)
            out.blue[x] = Self.code(y - cg - co, peak)
        }
    }

    /// H.273 of 2024, equations of YCgCo-Re and YCgCo-Ro, which are lifting steps.
    @inline(__always)
    private func convertReversible(
        _ extraBits: Int, _ range: SampleRange, _ out: ColourPlanes<Sample>
    ) {
        let extra = Int32(extraBits)
        let (neutral, peak) = (range.neutral, range.peak >> extra)
        // The upper bits are repeated below, so that white is the largest code.
        let repeated = Int32(range.bitDepth) - 2 * extra
        func code(_ value: Int32) -> Sample {
            let value = min(max(value, 0), peak)
            return Sample(truncatingIfNeeded: value &<< extra | value &>> repeated)
        }
        for x in 0..<count {
            let cg = Int32(truncatingIfNeeded: blue[x]) &- neutral
            let co = Int32(truncatingIfNeeded: red[x]) &- neutral
            let base = Int32(truncatingIfNeeded: luma[x]) &- (cg &>> 1)
            // Each step uses the unbounded value.
            let b = base &- (co &>> 1)
            out.red[x] = code(b &+ co)
            out.green[x] = code(base &+ cg)
            out.blue[x] = code(b)
        }
    }

    @inline(__always)
    private static func float(_ code: Sample) -> Float { Float(Int32(truncatingIfNeeded: code)) }

    /// Rounds half up to a code, without a trapping conversion to integers.
    @inline(__always)
    private static func code(_ value: Float, _ peak: Float) -> Sample {
        let bounded = min(max(value + 0.5, 0), peak)
        // Above 2^23, single precision has no fraction: the sum is rounded to the nearest integer,
        // held in the low bits. It is one too many if that rounded up.
        let magic: Float = 8_388_608
        let shifted = bounded + magic
        let rounded = shifted.bitPattern &- magic.bitPattern
        return Sample(truncatingIfNeeded: rounded &- (shifted - magic > bounded ? 1 : 0))
    }
}
