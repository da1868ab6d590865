/// Decides which colours a frame gets: all of its own when they are few, those that all frames share
/// where they serve, else the best ones for what it changes.
final class PaletteChoice {
    /// From this mean square of differences on, a palette of the frame's own is tried: 38 dB.
    private static let visibleError: Float = 10
    /// It is taken when its error is at most this part of the other's, so that frames do not change
    /// their palettes, and with them their shades, for nothing.
    private static let worthwhile: Float = 0.6

    private let global: Palette
    private let globalColours: Set<UInt32>
    private let limit: Int
    private let histogram = ColourHistogram()
    private var exact: ExactColours

    /// Prepares choices.
    ///
    /// - Parameters:
    ///   - global: The colours that all frames share.
    ///   - limit: The most colours of a frame, 1 to 255.
    init(global: Palette, colours limit: Int) {
        (self.global, self.limit) = (global, limit)
        globalColours = Set(global.colours)
        exact = ExactColours(limit: limit)
    }

    /// Begins a frame.
    func begin() {
        histogram.clear()
        exact = ExactColours(limit: limit)
    }

    /// Takes in a pixel that the frame draws.
    ///
    /// - Parameter pixel: With alpha 255.
    @inline(__always)
    func insert(_ pixel: UInt32) {
        exact.insert(pixel)
        histogram.add(pixel)
    }

    /// Chooses.
    ///
    /// - Returns: The colours for the pixels that were taken in.
    func palette() -> Palette {
        if !exact.areTooMany {
            return globalColours.isSuperset(of: exact.colours)
                ? global : Palette(exact.colours, isExact: true)
        }
        let error = PaletteMaker.error(of: global, for: histogram)
        guard error > Self.visibleError else { return global }
        let own = PaletteMaker.palette(for: histogram, colours: limit)
        return own.error <= error * Self.worthwhile ? own.palette : global
    }
}
