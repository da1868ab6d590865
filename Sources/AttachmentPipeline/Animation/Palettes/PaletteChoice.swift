/// Chooses the palette of a frame: its exact colours if few, the shared palette if good enough,
/// otherwise an optimised one.
final class PaletteChoice {
    /// Mean squared error from which an own palette is tried: 38 dB.
    private static let visibleError: Float = 10
    /// Largest ratio of the own palette's error to the shared one's.
    ///
    /// A small gain does not justify a change of palette, which shifts shades between frames.
    private static let worthwhile: Float = 0.6

    private let global: Palette
    private let globalColours: Set<UInt32>
    private let limit: Int
    private let histogram = ColourHistogram()
    private var exact: ExactColours

    /// `limit` is the number of colours per frame, 1 to 255.
    init(global: Palette, colours limit: Int) {
        (self.global, self.limit) = (global, limit)
        globalColours = Set(global.colours)
        exact = ExactColours(limit: limit)
    }

    func begin() {
        histogram.clear()
        exact = ExactColours(limit: limit)
    }

    @inline(__always)
    func insert(_ pixel: UInt32) {
        exact.insert(pixel)
        histogram.add(pixel)
    }

    func palette() -> Palette {
        if !exact.hasOverflowed {
            return globalColours.isSuperset(of: exact.colours)
                ? global : Palette(exact.colours, isExact: true)
        }
        let error = PaletteMaker.error(of: global, for: histogram)
        guard error > Self.visibleError else { return global }
        let own = PaletteMaker.palette(for: histogram, colours: limit)
        return own.error <= error * Self.worthwhile ? own.palette : global
    }
}
