internal import AttachmentFormats

/// Results of the pass that decodes all frames: the reduced frames, their colours, the canvas of the
/// most telling one, and the facts that predict sizes.
final class AnimationSurvey {
    let size: (width: Int, height: Int)
    let telling: TellingCanvas
    private(set) var damagedCount = 0
    /// Drawing method that the output needs.
    var method = FrameEncoder.Method.differences
    var prediction: SizePrediction
    /// Nil if there was no room for the frames.
    private(set) var frames: ReducedFrames?
    private let histogram = ColourHistogram()
    /// True if the frames are smaller than the canvas, so that most colours are mixtures.
    let isReduced: Bool
    private var exact = ExactColours(limit: Palette.maxColours)
    private var palettes: [FrameQuality: Palette] = [:]

    /// Number of sample points per side of a frame.
    private static let grid = 128

    init(
        of file: AnimationFile, outline: AnimationOutline, size: (width: Int, height: Int),
        in space: PlaneSpace, _ conversion: CanvasConversion? = nil,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) {
        self.size = size
        isReduced = size.width < outline.width || size.height < outline.height
        telling = TellingCanvas(width: outline.width, height: outline.height, in: space)
        prediction = SizePrediction(changes: [], size: size)
        frames = ReducedFrames(width: size.width, height: size.height, in: space)
        let source = try DecodedFrames(
            of: file, size: size, in: space, frames: outline.delays.count, conversion,
            isCancelled: isCancelled)
        var changes: [Int] = []
        changes.reserveCapacity(outline.delays.count)
        while let change = try source.next() {
            try add(changes.count, change, of: source)
            changes.append(change.pixels)
        }
        damagedCount = source.playback.damagedCount
        prediction = SizePrediction(changes: changes, size: size)
        try store { (frames) throws(DecodingFault) in try frames.finish() }
    }

    private func add(
        _ frame: Int, _ change: ReducedChange, of source: DecodedFrames
    ) throws(AnimationFault) {
        if change.becameBlank { method = .wholeFrames }
        let (plane, canvas) = (source.plane, source.playback.canvas)
        try AnimationFault.decoding { () throws(DecodingFault) in
            try telling.add(
                frame, canvas, PixelView(plane), changed: ChangedRegion(change.rect))
        }
        count(change.rect, of: plane)
        try store { (frames) throws(DecodingFault) in try frames.append(change.rect, of: plane) }
    }

    /// Stores the frames, or gives up if there is no room for them.
    private func store(
        _ step: (ReducedFrames) throws(DecodingFault) -> Void
    ) throws(AnimationFault) {
        guard let frames else { return }
        do throws(DecodingFault) {
            try step(frames)
        } catch {
            guard error.isLackOfRoom else { throw AnimationFault(error) }
            self.frames = nil
        }
    }

    private func count(_ rect: PixelRect, of plane: PixelPlane) {
        let (across, down) = (max(1, plane.width / Self.grid), max(1, plane.height / Self.grid))
        for y in stride(from: rect.top, to: rect.bottom, by: down) {
            let row = plane.row(y)
            for x in stride(from: rect.left, to: rect.right, by: across) where row[x] != 0 {
                histogram.add(row[x])
            }
        }
        for y in rect.top..<rect.bottom where !exact.hasOverflowed {
            let row = plane.row(y)
            for x in rect.left..<rect.right where row[x] != 0 { exact.insert(row[x]) }
        }
    }

    /// Palette for all frames.
    func palette(_ quality: FrameQuality) -> Palette {
        if let palette = palettes[quality] { return palette }
        let search = NearestColour(Palette([]))
        var palette = PaletteMaker.palette(for: histogram, colours: quality.colours, search)
        if !exact.hasOverflowed, exact.colours.count <= quality.colours {
            search.use(palette)
            let error = PaletteMaker.error(of: search, for: histogram)
            let isGood = isReduced && error <= PaletteChoice.invisibleError
            if !isGood { palette = Palette(exact.colours) }
        }
        palettes[quality] = palette
        return palette
    }
}
