internal import AttachmentFormats

/// Draws the frames of an animation in order, past damage if tolerated.
struct Playback {
    var canvas: AnimationCanvas { frames.canvas }
    /// Number of damaged frames.
    private(set) var damagedCount = 0
    /// Number of frames drawn.
    private(set) var count = 0

    private let file: AnimationFile
    private let frames: any AnimatedFrames
    private let limit: Int
    private let isCancelled: @Sendable () -> Bool

    /// Opens a file and draws at most `limit` frames, as counted by the outline.
    init(
        of file: AnimationFile, in scratch: ScratchSpace, frames limit: Int,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) {
        (self.file, self.limit, self.isCancelled) = (file, limit, isCancelled)
        do throws(DecodingFault) {
            frames = try file.frames(in: scratch)
        } catch {
            throw AnimationFault(error)
        }
    }

    /// Draws the next frame and returns the region that may have changed; nil after the last frame.
    mutating func next() throws(AnimationFault) -> ChangedRegion? {
        guard count < limit else { return nil }
        guard !isCancelled() else { throw AnimationFault(.cancelled, "the work was cancelled") }
        do throws(DecodingFault) {
            guard try frames.next() != nil else { return nil }
        } catch {
            throw AnimationFault(error)
        }
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
