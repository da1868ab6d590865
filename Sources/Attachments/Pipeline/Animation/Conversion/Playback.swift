internal import AttachmentFormats

/// Draws the frames of an animation in order, past damage if tolerated.
struct Playback {
    var canvas: AnimationCanvas { frames.canvas }
    private(set) var damagedCount = 0
    private(set) var count = 0

    private let file: AnimationFile
    private let frames: any AnimatedFrames
    private let limit: Int
    private let isCancelled: @Sendable () -> Bool

    init(
        of file: AnimationFile, in space: PlaneSpace, frames limit: Int,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) {
        (self.file, self.limit, self.isCancelled) = (file, limit, isCancelled)
        frames = try AnimationFault.decoding { () throws(DecodingFault) in
            try file.frames(in: space)
        }
    }

    /// Draws the next frame and returns the region that may have changed; nil after the last frame.
    mutating func next() throws(AnimationFault) -> ChangedRegion? {
        guard count < limit else { return nil }
        guard !isCancelled() else { throw AnimationFault(.cancelled, "the work was cancelled") }
        let frame = try AnimationFault.decoding { () throws(DecodingFault) in try frames.next() }
        guard frame != nil else { return nil }
        count += 1
        do throws(DecodingFault) {
            return try frames.draw()
        } catch {
            guard file.isTolerant, error.comesFromBytes, count > 1 else {
                throw AnimationFault(error)
            }
            // The frame may have been drawn in part.
            damagedCount += 1
            return ChangedRegion(canvas.bounds)
        }
    }
}
