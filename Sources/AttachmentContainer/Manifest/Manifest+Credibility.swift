/// The numbers that are believed of a picture, whoever wrote them down.
extension Manifest {
    /// Height divided by width, besides the 0 of what is not seen: the decoders take no side longer
    /// than a million pixels.
    private static let ratios: ClosedRange<Double> = 1e-6...1e6

    /// Whether readers take the ratio and every duration.
    var isCredible: Bool { hasCredibleRatio && renditions.allSatisfy(\.hasCredibleDuration) }

    /// Whether readers take the ratio.
    var hasCredibleRatio: Bool {
        contentSizeRatio == 0 || Self.ratios.contains(contentSizeRatio)
    }

    /// The ratio of a size that a header claims.
    ///
    /// - Parameter size: The size, in pixels; nil where it is unknown.
    /// - Returns: Height divided by width; 0 where it is unknown or not believed.
    package static func credibleRatio(of size: PixelSize?) -> Double {
        guard let ratio = size?.heightToWidthRatio, ratios.contains(ratio) else { return 0 }
        return ratio
    }
}

extension Manifest.Rendition {
    /// How long something plays, in seconds: up to thirty years, which no file of a length that is read
    /// can hold.
    package static let credibleDurations: ClosedRange<Double> = 0...1e9

    /// Whether readers take the duration.
    var hasCredibleDuration: Bool { duration.map(Self.credibleDurations.contains) ?? true }
}
