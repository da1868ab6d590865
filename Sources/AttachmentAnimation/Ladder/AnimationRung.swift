/// One way of making the output: a rung of the ladder.
struct AnimationRung: Hashable, Sendable {
    /// Pixels in a row of the output.
    let width: Int
    /// Rows of the output.
    let height: Int
    /// What is given up of the frames' look.
    let treatment: Treatment
    /// How many frames one stands for.
    let stride: Int
    /// Frames that begin later than this are cut off, in thousandths of a second.
    let duration: Int

    /// The frames that it shows.
    ///
    /// - Parameter outline: The animation.
    /// - Returns: Them, and for how long each.
    func schedule(of outline: AnimationOutline) -> FrameSchedule {
        FrameSchedule(outline.delays, stride: stride, until: duration)
    }
}
