/// One candidate output: a rung of the ladder.
struct AnimationRung: Hashable, Sendable {
    let width: Int
    let height: Int
    /// Reduction of the frames' quality.
    let treatment: Treatment
    /// Source frames per output frame.
    let stride: Int
    /// Time of the cut in milliseconds; later frames are dropped.
    let duration: Int

    func schedule(of outline: AnimationOutline) -> FrameSchedule {
        FrameSchedule(outline.delays, stride: stride, until: duration)
    }
}
