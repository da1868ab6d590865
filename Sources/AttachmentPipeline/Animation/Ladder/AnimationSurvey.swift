internal import AttachmentFormats

/// Results of a first pass over the frames: colours, most telling frame, and size samples.
struct AnimationSurvey {
    private(set) var tellingFrame = 0
    private(set) var damagedCount = 0
    /// Drawing method that the output needs.
    var method = FrameEncoder.Method.differences
    private(set) var palettes: [FrameQuality: Palette] = [:]
    var sample: SizeSample

    private static let grid = 128

    init(
        of file: AnimationFile, outline: AnimationOutline, size: (width: Int, height: Int),
        in scratch: ScratchSpace, isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) {
        sample = SizeSample(outline, size: size, scratch: scratch)
        let histogram = ColourHistogram()
        var telling = TellingFrame()
        var playback = try Playback(
            of: file, in: scratch, frames: outline.delays.count, isCancelled: isCancelled)
        while let changed = try playback.next() {
            do throws(DecodingFault) {
                if try telling.add(playback, changed: changed) { method = .wholeFrames }
                try Self.count(changed, of: playback.canvas, in: histogram)
            } catch {
                throw AnimationFault(error)
            }
            try sample.add(
                playback.canvas, changed: changed, frame: playback.count - 1, method: &method)
        }
        telling.finish()
        (tellingFrame, damagedCount) = (telling.index, playback.damagedCount)
        for quality in FrameQuality.ladder where palettes[quality] == nil {
            palettes[quality] =
                PaletteMaker.palette(for: histogram, colours: quality.colours).palette
        }
        sample.finish()
    }

    /// Returns the first rung predicted to fit, or nil, and removes the rungs before it.
    func choose(
        from rungs: inout ArraySlice<AnimationRung>, _ outline: AnimationOutline, bytes: Int
    ) -> AnimationRung? {
        rungs = rungs.drop { rung in
            let frames = rung.schedule(of: outline).slots.count
            return sample.bytes(of: rung, frames: frames) > Double(bytes)
        }
        return rungs.first
    }

    private static func count(
        _ changed: ChangedRegion, of canvas: AnimationCanvas, in histogram: ColourHistogram
    ) throws(DecodingFault) {
        let pixels = try canvas.pixels()
        let (across, down) = (max(1, canvas.width / grid), max(1, canvas.height / grid))
        for rect in changed.rects {
            for y in stride(from: rect.top, to: rect.bottom, by: down) {
                for x in stride(from: rect.left, to: rect.right, by: across) {
                    let pixel = pixels[y * canvas.width + x]
                    if pixel >> 24 >= 128 { histogram.add(pixel) }
                }
            }
        }
    }
}
