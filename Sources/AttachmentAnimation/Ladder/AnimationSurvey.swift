internal import AttachmentDecoding

/// What a first pass over the frames tells: the colours, the most telling frame, and how many bytes
/// frames take at one size.
struct AnimationSurvey {
    /// The number of the frame that tells most.
    private(set) var tellingFrame = 0
    /// How many frames could not be drawn as the file means them.
    private(set) var damagedCount = 0
    /// What frames have to be drawn over.
    private(set) var method = FrameEncoder.Method.differences
    /// The colours that serve most frames, for each treatment.
    private(set) var palettes: [Treatment: Palette] = [:]
    /// What frames take at the size of the sample.
    private(set) var sample: SizeSample

    /// How many points are looked at in a row and in a column, for the colours.
    private static let grid = 128

    /// Goes through all frames.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - outline: What its headers say.
    ///   - size: The size at which some frames are encoded.
    ///   - scratch: Where pictures lie that take more than 64 KiB.
    ///   - isCancelled: Is asked before each frame.
    /// - Throws: `AnimationFault` with code `undecodable` or `cancelled`.
    init(
        of file: AnimationFile, outline: AnimationOutline, size: (width: Int, height: Int),
        in scratch: ScratchSpace, isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) {
        sample = SizeSample(outline, size: size, scratch: scratch)
        let histogram = ColourHistogram()
        var (thumbnail, telling) = (FrameThumbnail(), TellingFrame())
        var playback = try Playback(
            of: file, in: scratch, frames: outline.delays.count, isCancelled: isCancelled)
        while let changed = try playback.next() {
            do throws(DecodingFault) {
                if try thumbnail.update(from: playback.canvas, changed: changed) {
                    method = .wholeFrames
                }
                try Self.count(changed, of: playback.canvas, in: histogram)
            } catch {
                throw AnimationFault(error)
            }
            telling.add(playback.count - 1, thumbnail)
            try sample.add(
                playback.canvas, changed: changed, frame: playback.count - 1, method: &method)
        }
        telling.finish()
        (tellingFrame, damagedCount) = (telling.index, playback.damagedCount)
        for treatment in Treatment.ladder where palettes[treatment] == nil {
            palettes[treatment] =
                PaletteMaker.palette(for: histogram, colours: treatment.colours).palette
        }
        sample.finish()
    }

    /// Takes the first rung that is predicted to keep a budget.
    ///
    /// - Parameters:
    ///   - rungs: What is left of the ladder; begins with the rung then.
    ///   - outline: The animation.
    ///   - bytes: What the output may have.
    /// - Returns: The rung; nil when none is.
    func choose(
        from rungs: inout ArraySlice<AnimationRung>, _ outline: AnimationOutline, bytes: Int
    ) -> AnimationRung? {
        rungs = rungs.drop { rung in
            let frames = rung.schedule(of: outline).slots.count
            return sample.bytes(of: rung, frames: frames) > Double(bytes)
        }
        return rungs.first
    }

    /// Learns what a rung takes.
    ///
    /// - Parameters:
    ///   - rung: The rung.
    ///   - frames: How many frames it shows.
    ///   - found: What it would take in bytes, as far as it was tried.
    mutating func learn(_ rung: AnimationRung, frames: Int, found: Double) {
        sample.learn(rung, frames: frames, found: found)
    }

    /// Notes that points of the sample missed a pixel that becomes blank again.
    mutating func drawWholeFrames() { method = .wholeFrames }

    /// Counts the colours at points of what changed.
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
