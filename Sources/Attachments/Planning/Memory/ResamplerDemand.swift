/// Memory of the resampler of a plane, from the sizes of its parts (`CResampler`).
package enum ResamplerDemand {
    /// Upper bound in bytes with boxes (`ResamplerBoxes`) from a reduction on, which never falls as
    /// a side grows.
    ///
    /// - Parameters: As without boxes.
    ///   - smallest: The smallest `step` with boxes.
    package static func bytes(
        columns: Double, target: Double, rows: Double, step: Double, bands: Double,
        sampleBytes: Double, boxedFrom smallest: Double, isLinear: Bool = false
    ) -> Double {
        let kernel = { (columns: Double, step: Double, sampleBytes: Double) in
            bytes(
                columns: columns, target: target, rows: rows, step: step, bands: bands,
                sampleBytes: sampleBytes, isLinear: isLinear)
        }
        let direct = kernel(columns, step, sampleBytes)
        // The longer side's reduction may be rounded up.
        guard step > 0.9 * smallest else { return direct }
        let averages = ResamplerBoxes.largestKernelReduction * (target + 1)
        let sums = 8 * min(columns / 2, averages) * bands + 1024 * bands
        let largest = max(
            kernel(smallest * (target + 1), smallest, sampleBytes),
            kernel(averages, ResamplerBoxes.largestKernelReduction, 2))
        return min(direct, largest) + sums
    }

    /// Upper bound in bytes without boxes, which never falls as a side grows.
    ///
    /// - Parameters:
    ///   - columns: Source columns.
    ///   - target: Target columns.
    ///   - rows: Source rows.
    ///   - step: Source samples per target sample, the larger of both directions.
    ///   - bands: Interleaved samples.
    ///   - sampleBytes: Bytes per source sample, 1 or 2; 2 with alpha, whose products are held.
    ///   - isLinear: True if light is averaged, which has 14 bits; by default false.
    /// - Returns: The bound, with the row that the caller holds.
    package static func bytes(
        columns: Double, target: Double, rows: Double, step: Double, bands: Double,
        sampleBytes: Double, isLinear: Bool = false
    ) -> Double {
        // Six lobes, rounded up to whole vectors.
        let taps = 6 * max(1, step) + 2 + 8
        let row = columns * bands + 32
        let window = row * min(taps, rows + 2) * (isLinear ? 2 : sampleBytes)
        let afterVerticalPass = 2 * (row + taps) + (bands > 1 ? 2 * (columns + taps) : 0)
        let weights = (target + 1) * (4 + 2 * taps) + 10 * taps + 8 * taps
        let tables = isLinear ? lightTables : 0
        return window + afterVerticalPass + weights + 2 * (target + 1) * bands + tables + fixed
    }

    /// The resampler itself, alignment of its parts, and the row that it writes.
    private static let fixed = 4096.0

    /// Tables of 2^14 entries: light of samples of 16 bits, 2 bytes each, and bytes of light.
    private static let lightTables = 49_152.0
}

/// Memory of the conversion of planes from YCbCr to RGB before the resampler.
enum RGBConversionDemand {
    /// Upper bound in bytes.
    ///
    /// - Parameters:
    ///   - columns: Columns of luma.
    ///   - samples: Samples of all planes per column of a row.
    ///   - rowsAtOnce: Rows that are decoded at once.
    /// - Returns: The bound: decoded rows and two more of each plane, in arrays that grow to twice
    ///   their length, both chroma rows at full width, and three results.
    static func bytes(columns: Double, samples: Double, rowsAtOnce: Double) -> Double {
        columns * (2 * samples * (rowsAtOnce + 2) + 5)
    }
}
