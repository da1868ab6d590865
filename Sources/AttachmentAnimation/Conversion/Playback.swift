internal import AttachmentDecoding

/// Draws the frames of an animation one after the other, past damage where that is tolerated.
struct Playback {
    /// What is shown now.
    var canvas: AnimationCanvas { frames.canvas }
    /// How many frames could not be drawn as the file means them.
    private(set) var damagedCount = 0
    /// How many frames were drawn.
    private(set) var count = 0

    private let file: AnimationFile
    private let frames: any AnimatedFrames
    private let limit: Int
    private let isCancelled: @Sendable () -> Bool

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - scratch: Where the canvas lies when it is large.
    ///   - limit: How many frames are drawn at most: what the outline counted.
    ///   - isCancelled: Is asked before each frame.
    /// - Throws: `AnimationFault` with code `undecodable`.
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

    /// Draws the next frame.
    ///
    /// - Returns: Where the canvas may have changed; nil behind the last frame.
    /// - Throws: `AnimationFault` with code `undecodable` or `cancelled`.
    mutating func next() throws(AnimationFault) -> ChangedRegion? {
        guard count < limit else { return nil }
        guard !isCancelled() else { throw AnimationFault(.cancelled, "the work was withdrawn") }
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
            // Some of it may have been drawn.
            damagedCount += 1
            return ChangedRegion(canvas.bounds)
        }
    }
}
