import CResampler
import Foundation
import Testing

extension thimble_axis {
    init(
        _ source: Int, to target: Int, origin: Double = 0, step: Double? = nil, box: Int = 1
    ) {
        self.init(
            source: CInt(source), target: CInt(target), origin: origin,
            step: step ?? Double(source) / Double(target), box: CInt(box))
    }
}

/// A picture with interleaved samples.
struct Picture<Sample: FixedWidthInteger> {
    let width: Int
    let height: Int
    let bands: Int
    var samples: [Sample]

    init(
        _ width: Int, _ height: Int, bands: Int = 1, sample: (Int, Int, Int) -> Sample
    ) {
        (self.width, self.height, self.bands) = (width, height, bands)
        samples = []
        for y in 0..<height {
            for x in 0..<width {
                for band in 0..<bands { samples.append(sample(x, y, band)) }
            }
        }
    }

    subscript(x: Int, y: Int, band: Int = 0) -> Sample {
        samples[(y * width + x) * bands + band]
    }

    /// Resamples with the product's code.
    func resampled(
        _ columns: thimble_axis, _ rows: thimble_axis, hasAlpha: Bool = false,
        isLinear: Bool = false
    ) throws -> Picture<UInt8> {
        var description = thimble_resampling(
            columns: columns, rows: rows, bands: CInt(bands),
            sample_bytes: CInt(Sample.bitWidth / 8), has_alpha: hasAlpha,
            is_linear: isLinear)
        let resampler = try #require(thimble_resampler_new(&description, THIMBLE_VECTORS_BEST))
        defer { thimble_resampler_free(resampler) }
        var result = Picture<UInt8>(Int(columns.target), 0, bands: bands) { _, _, _ in 0 }
        var row = [UInt8](repeating: 0, count: Int(columns.target) * bands)
        for y in 0..<height {
            let start = y * width * bands
            thimble_resampler_push(
                resampler, Array(samples[start..<start + width * bands]))
            while thimble_resampler_pull(resampler, &row) { result.samples += row }
        }
        try #require(result.samples.count == row.count * Int(rows.target))
        return Picture<UInt8>(Int(columns.target), Int(rows.target), bands: bands) { x, y, band in
            result.samples[(y * Int(columns.target) + x) * bands + band]
        }
    }

    /// Resamples one band by the definition, in floating point.
    func reference(_ columns: thimble_axis, _ rows: thimble_axis, band: Int = 0) -> [[Double]] {
        let across = (0..<Int(columns.target)).map { Self.weights(columns, $0) }
        let down = (0..<Int(rows.target)).map { Self.weights(rows, $0) }
        let reduced = (0..<height).map { y in
            across.map { weights in
                weights.reduce(0) { $0 + $1.weight * Double(self[$1.sample, y, band]) }
            }
        }
        return down.map { weights in
            across.indices.map { x in
                weights.reduce(0) { $0 + $1.weight * reduced[$1.sample][x] }
            }
        }
    }

    private static func weights(
        _ axis: thimble_axis, _ index: Int
    ) -> [(sample: Int, weight: Double)] {
        let box = Double(axis.box)
        let width = max(box, axis.step)
        let centre = axis.origin + (Double(index) + 0.5) * axis.step
        // The samples of a box share the kernel's value at its centre.
        let all = (0..<Int(axis.source)).map { sample in
            let start = sample / Int(axis.box) * Int(axis.box)
            let end = min(start + Int(axis.box), Int(axis.source))
            return (sample, lanczos((Double(start + end) / 2 - centre) / width))
        }
        let sum = all.reduce(0) { $0 + $1.1 }
        return all.filter { $0.1 != 0 }.map { ($0.0, $0.1 / sum) }
    }

    /// sinc(x) sinc(x / 3), with sinc(x) = sin(πx) / πx.
    private static func lanczos(_ x: Double) -> Double {
        guard abs(x) < 3 else { return 0 }
        let sinc = { (x: Double) in x == 0 ? 1 : sin(.pi * x) / (.pi * x) }
        return sinc(x) * sinc(x / 3)
    }
}
