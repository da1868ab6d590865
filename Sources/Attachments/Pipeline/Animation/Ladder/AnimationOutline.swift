package import AttachmentFormats
package import AttachmentModel

/// Facts from an animation's headers, without decoding a frame.
package struct AnimationOutline: Hashable, Sendable {
    package let width: Int
    package let height: Int
    /// Display time of each frame in milliseconds, as viewers interpret it.
    package let delays: [Int]
    /// Total pixels of all frames, including those outside the canvas.
    package let drawnPixels: Int
    /// Number of playbacks; nil means endless.
    package let plays: Int?
    /// True if the file is truncated or breaks; incomplete frames are not counted.
    package let isTruncated: Bool
    /// True if a frame exceeds the canvas.
    ///
    /// Some viewers clip such frames, others enlarge the canvas.
    package let exceedsCanvas: Bool
    /// Faults that lose no pixel; strict decoders reject files with one.
    package let faults: Set<HarmlessFault>

    package var milliseconds: Int { delays.reduce(0, +) }

    /// Walks through frames that were just opened, and draws none.
    package init(
        of frames: any AnimatedFrames, isTolerant: Bool, limits: AnimationLimits
    ) throws(AnimationFault) {
        (width, height) = (frames.canvas.width, frames.canvas.height)
        guard width * height <= limits.pixels, width <= 65_535, height <= 65_535 else {
            throw AnimationFault(
                .tooLarge,
                "its canvas has \(width) × \(height) pixels, more than \(limits.pixels)")
        }
        var (delays, milliseconds, pixels) = ([Int](), 0, 0)
        var (isTruncated, exceedsCanvas) = (false, false)
        while let frame = try Self.next(
            frames, isTolerant: isTolerant, isFirst: delays.isEmpty, &isTruncated)
        {
            delays.append(frame.shownMilliseconds)
            milliseconds += frame.shownMilliseconds
            pixels += frame.codedPixels
            exceedsCanvas = exceedsCanvas || frame.codedPixels > frame.rect.area
            guard delays.count <= limits.frames else {
                throw AnimationFault(.tooManyFrames, "it has more than \(limits.frames) frames")
            }
            guard Double(milliseconds) <= limits.seconds * 1000 else {
                throw AnimationFault(.tooLong, "it plays longer than \(limits.seconds) seconds")
            }
            guard pixels <= limits.drawnPixels else {
                throw AnimationFault(
                    .tooLarge,
                    "its frames have more than \(limits.drawnPixels) pixels together")
            }
        }
        (self.delays, drawnPixels, plays) = (delays, pixels, frames.plays)
        (self.isTruncated, self.exceedsCanvas) = (isTruncated, exceedsCanvas)
        faults = frames.faults
    }

    /// The next complete frame, or the first one even if incomplete.
    private static func next(
        _ frames: any AnimatedFrames, isTolerant: Bool, isFirst: Bool, _ isTruncated: inout Bool
    ) throws(AnimationFault) -> AnimationFrame? {
        do throws(DecodingFault) {
            guard let frame = try frames.next() else { return nil }
            isTruncated = !frame.isComplete
            return frame.isComplete || isFirst ? frame : nil
        } catch {
            guard isTolerant, error.comesFromBytes, !isFirst else {
                throw AnimationFault(error)
            }
            isTruncated = true
            return nil
        }
    }
}
