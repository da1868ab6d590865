/// Range checks for untrusted manifest values.
extension Manifest {
    /// Decoders refuse sides longer than a million pixels; 0 stands for sound.
    private static let ratios: ClosedRange<Double> = 1e-6...1e6

    /// Range of a telling moment: seconds as for a duration, or a number of a frame.
    package static let credibleThumbnailTimes = Rendition.credibleDurations

    var isCredible: Bool {
        hasCredibleRatio && hasCredibleThumbnailTime
            && renditions.allSatisfy(\.hasCredibleDuration)
    }

    var hasCredibleThumbnailTime: Bool {
        thumbnailTime.map(Self.credibleThumbnailTimes.contains) ?? true
    }

    var hasCredibleRatio: Bool {
        contentSizeRatio == 0 || Self.isCredible(ratio: contentSizeRatio)
    }

    static func isCredible(ratio: Double) -> Bool { ratios.contains(ratio) }

    /// 0 if the size is unknown or out of range.
    package static func credibleRatio(of size: PixelSize?) -> Double {
        guard let ratio = size?.heightToWidthRatio, isCredible(ratio: ratio) else { return 0 }
        return ratio
    }
}

extension Manifest.Rendition {
    /// Range of a duration, in seconds: up to thirty years, more than any accepted file can hold.
    package static let credibleDurations: ClosedRange<Double> = 0...1e9

    var hasCredibleDuration: Bool { duration.map(Self.credibleDurations.contains) ?? true }
}
