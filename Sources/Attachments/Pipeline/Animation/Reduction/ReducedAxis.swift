/// Dependencies between the samples of a side and of its reduction by Lanczos 3.
struct ReducedAxis {
    let source: Int
    let target: Int

    /// Source samples per target sample; at least 1.
    var step: Double { Double(source) / Double(target) }

    /// Reach of the kernel on either side, in source samples.
    private var reach: Double { 3 * step }

    /// Source samples of target samples, with at least one more on either side inside the picture.
    ///
    /// The kernel of a part is therefore cut only where the whole picture's kernel is.
    func sources(of targets: Range<Int>) -> Range<Int> {
        let first = (Double(targets.lowerBound) + 0.5) * step - reach
        let last = (Double(targets.upperBound) - 0.5) * step + reach
        return max(0, Int(first) - 2)..<min(source, Int(last) + 3)
    }

    /// Target samples that may depend on source samples.
    func targets(of sources: Range<Int>) -> Range<Int> {
        let first = (Double(sources.lowerBound) - reach) / step - 1.5
        let last = (Double(sources.upperBound) + reach) / step + 1.5
        return max(0, Int(first))..<min(target, Int(last))
    }

    /// Resampling of `targets` from `sources(of:)`.
    func part(_ targets: Range<Int>) -> TargetAxis {
        let start = sources(of: targets).lowerBound
        return TargetAxis(
            samples: targets.count, step: step,
            origin: Double(targets.lowerBound) * step - Double(start))
    }
}
