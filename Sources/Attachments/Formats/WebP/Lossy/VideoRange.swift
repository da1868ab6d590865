/// Samples of VP8, which have the range of ITU-R BT.601: 16 to 235, chroma 16 to 240.
///
/// libwebp converts them to RGB with the same range (`src/dsp/yuv.h`).
enum VideoRange {
    /// Writes luma with the range of JPEG, 0 to 255; `target` has at least as many bytes.
    static func expandLuma(
        _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer
    ) {
        expand(source, to: target, lumaLevel)
    }

    /// Writes chroma with the range of JPEG, where 128 is neutral too.
    static func expandChroma(
        _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer
    ) {
        expand(source, to: target, chromaLevel)
    }

    /// Same, with each sample followed by its alpha.
    static func expandLuma(
        _ source: UnsafeRawBufferPointer, beside alpha: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawBufferPointer
    ) {
        expand(source, beside: alpha, to: target, lumaLevel)
    }

    /// Same, with each sample followed by its alpha.
    static func expandChroma(
        _ source: UnsafeRawBufferPointer, beside alpha: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawBufferPointer
    ) {
        expand(source, beside: alpha, to: target, chromaLevel)
    }

    @inline(__always)
    private static func lumaLevel(_ sample: UInt16) -> UInt16 {
        // 298 / 256 is 255 / 219.
        (min(max(sample, 16), 235) &- 16) &* 298 &+ 128
    }

    @inline(__always)
    private static func chromaLevel(_ sample: UInt16) -> UInt16 {
        // 291 / 256 is 255 / 224, to 0.2 levels. 128 becomes 128.5, as half a level rounds.
        (min(max(sample, 16), 240) &- 16) &* 291 &+ 304
    }

    /// `convert` returns the high byte of a sample with 8 fractional bits.
    @inline(__always)
    private static func expand(
        _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer,
        _ convert: (UInt16) -> UInt16
    ) {
        guard let from = source.baseAddress, let to = target.baseAddress,
            target.count >= source.count
        else { return }
        let (input, output) = (
            from.assumingMemoryBound(to: UInt8.self), to.assumingMemoryBound(to: UInt8.self)
        )
        for x in 0..<source.count {
            output[x] = UInt8(truncatingIfNeeded: convert(UInt16(input[x])) &>> 8)
        }
    }

    @inline(__always)
    private static func expand(
        _ source: UnsafeRawBufferPointer, beside alpha: UnsafeRawBufferPointer,
        to target: UnsafeMutableRawBufferPointer, _ convert: (UInt16) -> UInt16
    ) {
        guard let from = source.baseAddress, let beside = alpha.baseAddress,
            let to = target.baseAddress, alpha.count >= source.count,
            target.count >= 2 * source.count
        else { return }
        let (input, values, output) = (
            from.assumingMemoryBound(to: UInt8.self), beside.assumingMemoryBound(to: UInt8.self),
            to.assumingMemoryBound(to: UInt8.self)
        )
        for x in 0..<source.count {
            output[2 &* x] = UInt8(truncatingIfNeeded: convert(UInt16(input[x])) &>> 8)
            output[2 &* x &+ 1] = values[x]
        }
    }
}
