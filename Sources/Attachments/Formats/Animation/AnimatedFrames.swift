import AttachmentModel

/// Frames of an animation, drawn one after the other on one canvas by one thread.
///
/// A caller that needs only frame metadata skips `draw`.
package protocol AnimatedFrames: AnyObject {
    var canvas: AnimationCanvas { get }
    /// Number of plays, in the part of the file read so far; nil for endless.
    var plays: Int? { get }
    /// Faults that lose no pixel, in the part of the file read so far.
    var faults: Set<HarmlessFault> { get }
    /// Reads the meaning of the canvas's samples, with a profile of up to 4 MB.
    func readColours() throws(DecodingFault) -> CanvasColours
    /// Reads the next frame's description; nil after the last.
    ///
    /// After a fault there are no more frames.
    func next() throws(DecodingFault) -> AnimationFrame?
    /// Draws the frame last read and returns the region that may have changed.
    ///
    /// Every earlier frame must have been drawn. After a fault in the frame's bytes, later frames
    /// can still be drawn.
    func draw() throws(DecodingFault) -> ChangedRegion
}

extension AnimatedFrames {
    package var faults: Set<HarmlessFault> { [] }

    /// sRGB.
    package func readColours() throws(DecodingFault) -> CanvasColours { CanvasColours() }
}

/// Description of a frame.
package struct AnimationFrame: Hashable, Sendable {
    package var rect: PixelRect
    /// Pixels that are decoded, possibly more than are drawn.
    package var codedPixels: Int
    package var milliseconds: Int
    package var isComplete: Bool

    /// Duration that viewers use.
    package var shownMilliseconds: Int { AnimationTiming.shown(milliseconds) }
}
