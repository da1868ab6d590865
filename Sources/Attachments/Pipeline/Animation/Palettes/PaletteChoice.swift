/// Chooses the palette of a frame: its exact colours if few, the shared palette if good enough,
/// otherwise an optimised one.
final class PaletteChoice {
    /// Mean squared error from which an own palette is tried: 38 dB.
    private static let visibleError: Float = 10
    /// Mean squared error up to which a few colours need neither a palette of their own nor
    /// dithering: 48 dB, as of drawings whose edges are mixtures.
    static let invisibleError: Float = 1
    /// Largest ratio of the own palette's error to the shared one's.
    ///
    /// A small gain does not justify a change of palette, which shifts shades between frames.
    private static let worthwhile: Float = 0.6
    /// Pixels that suffice to judge a palette; of more, every second, third and so on counts.
    private static let sample = 16 << 10

    private let limit: Int
    private let keepsColours: Bool
    private let global: NearestColour
    private let own: NearestColour
    private let globalColours: Set<UInt32>
    private let histogram = ColourHistogram()
    private var exact: ExactColours
    private var step = 1
    private var skipped = 0

    /// `limit` is the number of colours per frame, 1 to 255; `keepsColours` if few colours must not
    /// change.
    init(global: Palette, colours limit: Int, keepsColours: Bool) {
        (self.limit, self.keepsColours) = (limit, keepsColours)
        (self.global, own) = (NearestColour(global), NearestColour(global))
        globalColours = Set(global.colours)
        exact = ExactColours(limit: limit)
    }

    /// Starts a frame of at most `pixels` changed pixels.
    func begin(pixels: Int) {
        histogram.clear()
        exact.clear()
        step = 1 + pixels / Self.sample
        skipped = 0
    }

    @inline(__always)
    func insert(_ pixel: UInt32) {
        exact.insert(pixel)
        skipped &+= 1
        guard skipped == step else { return }
        skipped = 0
        histogram.add(pixel)
    }

    /// The palette, with a search that is valid until the next frame; true if it has all colours, or
    /// indistinguishable ones.
    func palette() -> (search: NearestColour, isExact: Bool) {
        if !exact.hasOverflowed {
            if globalColours.isSuperset(of: exact.colours) { return (global, true) }
            if !keepsColours,
                PaletteMaker.error(of: global, for: histogram) <= Self.invisibleError
            {
                return (global, true)
            }
            own.use(Palette(exact.colours))
            return (own, true)
        }
        let error = PaletteMaker.error(of: global, for: histogram)
        guard error > Self.visibleError else { return (global, false) }
        let palette = PaletteMaker.palette(for: histogram, colours: limit, own)
        own.use(palette)
        let isBetter = PaletteMaker.error(of: own, for: histogram) <= error * Self.worthwhile
        return (isBetter ? own : global, false)
    }
}
