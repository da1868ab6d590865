internal import AttachmentContainer
internal import AttachmentFormats
internal import CResampler

/// Resamples one plane by rows.
final class Resampler {
    private let resampler: OpaquePointer
    private var row: [UInt8]

    init(
        _ plane: PlaneLayout.Plane, of layout: PlaneLayout, to columns: TargetAxis,
        _ rows: TargetAxis, isLinear: Bool = false
    ) throws(DecodingFault) {
        var description = thimble_resampling(
            columns: columns.axis(of: plane.size.width),
            rows: rows.axis(of: plane.size.height), bands: CInt(layout.bands),
            sample_bytes: CInt(layout.sampleBytes), has_alpha: layout.hasAlpha,
            is_linear: isLinear)
        guard let made = thimble_resampler_new(&description, THIMBLE_VECTORS_BEST) else {
            throw DecodingFault(.overCeiling, at: 0, "there is no memory for the resampler")
        }
        resampler = made
        row = Array(repeating: 0, count: columns.samples * layout.bands)
    }

    /// Adds the next row of the plane, and passes on the finished ones.
    func push(_ samples: UnsafeRawPointer, _ finished: (UnsafeBufferPointer<UInt8>) -> Void) {
        thimble_resampler_push(resampler, samples)
        row.withUnsafeMutableBufferPointer { row in
            // The resampler writes as many samples as the row has.
            while thimble_resampler_pull(resampler, row.baseAddress) {
                finished(UnsafeBufferPointer(row))
            }
        }
    }

    /// Begins again with the first row of another picture.
    func restart() { thimble_resampler_restart(resampler) }

    deinit { thimble_resampler_free(resampler) }
}

/// Samples of a resampled plane along one side.
struct TargetAxis {
    let samples: Int
    /// Source samples per target sample.
    let step: Double
    /// Position of the first edge, in source samples.
    var origin = 0.0
    /// Source samples averaged before the kernel; 1 for none.
    var box = 1

    fileprivate func axis(of source: Int) -> thimble_axis {
        thimble_axis(
            source: CInt(clamping: source), target: CInt(clamping: samples), origin: origin,
            step: step, box: CInt(clamping: box))
    }
}
