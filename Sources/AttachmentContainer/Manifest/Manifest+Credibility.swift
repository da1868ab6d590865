/// Range checks for untrusted manifest values.
extension Manifest {
    /// Decoders refuse sides longer than a million pixels; 0 stands for sound.
    private static let ratios: ClosedRange<Double> = 1e-6...1e6

    var isCredible: Bool { hasCredibleRatio && renditions.allSatisfy(\.hasCredibleDuration) }

    var hasCredibleRatio: Bool {
        contentSizeRatio == 0 || Self.ratios.contains(contentSizeRatio)
    }

    /// 0 if the size is unknown or out of range.
    package static func credibleRatio(of size: PixelSize?) -> Double {
        guard let ratio = size?.heightToWidthRatio, ratios.contains(ratio) else { return 0 }
        return ratio
    }
}

extension Manifest.Rendition {
    /// Range of a duration, in seconds: up to thirty years, more than any accepted file can hold.
    package static let credibleDurations: ClosedRange<Double> = 0...1e9

    var hasCredibleDuration: Bool { duration.map(Self.credibleDurations.contains) ?? true }
}
