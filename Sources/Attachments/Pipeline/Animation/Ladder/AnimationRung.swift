/// One candidate output: a rung of the ladder.
struct AnimationRung: Hashable, Sendable {
    let width: Int
    let height: Int
    let quality: FrameQuality
    /// Source frames per output frame.
    let stride: Int
    /// Time of the cut in milliseconds; later frames are dropped.
    let duration: Int

    func schedule(of outline: AnimationOutline) -> FrameSchedule {
        FrameSchedule(outline.delays, stride: stride, until: duration)
    }
}
