import AttachmentPlanning

/// The frames of an animation, one after the other, drawn on one canvas.
///
/// They are gone through once. Whoever only wants to know of them does not draw. It is not
/// `Sendable`: one thread reads at a time.
package protocol AnimatedFrames: AnyObject {
    /// What is drawn on.
    var canvas: AnimationCanvas { get }
    /// How often the animation is played, as far as the file was read; nil for without end.
    var plays: Int? { get }
    /// Whether the structure of the file keeps to its format, as far as it was read.
    var isWellFormed: Bool { get }
    /// Goes to the next frame.
    ///
    /// - Returns: What the file says of it; nil behind the last one.
    /// - Throws: `DecodingFault`; then there are no more frames.
    func next() throws(DecodingFault) -> AnimationFrame?
    /// Draws the frame that was read last, once, over what the frame before left.
    ///
    /// Every frame before must have been drawn.
    ///
    /// - Returns: Where the canvas may have changed since the frame before.
    /// - Throws: `DecodingFault`. When it comes from the frame's bytes, later frames can be drawn.
    func draw() throws(DecodingFault) -> ChangedRegion
}

extension AnimatedFrames {
    /// True: formats whose files are never kept as they are need not tell.
    package var isWellFormed: Bool { true }
}

/// What a file says of a frame.
package struct AnimationFrame: Hashable, Sendable {
    /// The part of the canvas that it draws on.
    package var rect: PixelRect
    /// How many pixels are decoded for it, which may be more than are drawn.
    package var codedPixels: Int
    /// How long it is shown, in thousandths of a second, as the file has it.
    package var milliseconds: Int
    /// Whether its data are all there.
    package var isComplete: Bool

    /// How long viewers show it, in thousandths of a second.
    package var shownMilliseconds: Int { AnimationTiming.shown(milliseconds) }
}
