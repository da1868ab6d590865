/// Boxes of pixels that the resampler averages before its kernel (`CResampler`).
///
/// Without them a kernel of six lobes holds six rows of the source for each unit of the reduction.
package enum ResamplerBoxes {
    /// Reduction of a picture's longer side from which boxes are used.
    ///
    /// Smaller ones hold at most 44 rows. The shorter side of few pixels may be reduced by more or
    /// less, because it is rounded.
    package static let smallestReduction = 7.0

    /// Reduction that boxes leave to the kernel, at least.
    ///
    /// Measured with 4 photographs at 3 widths against the kernel alone: by SSIMULACRA2 a reduction
    /// of 3.33 to 5.6 costs at most 0.4 points, one of 2 up to 1.2. With a generated picture of
    /// single-pixel detail it is 1.1 and 4.6. Pillow recommends 3 (`reducing_gap`).
    package static let kernelReduction = 3.33

    /// Upper bound on the kernel's reduction after boxes, at a reduction just below 3 boxes.
    static let largestKernelReduction = 5.0

    /// Longest box, a limit of `CResampler`.
    private static let longestSide = 32_768.0

    /// Samples of a box along one side.
    ///
    /// - Parameter step: Source samples of a plane per target sample.
    /// - Returns: The number, 1 for no box.
    package static func side(step: Double) -> Int {
        Int(max(1, min(longestSide, step / kernelReduction)))
    }
}
