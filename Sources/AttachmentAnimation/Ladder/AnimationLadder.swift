/// The ways of making the output, best first.
///
/// As many frames as possible, then as good a look as possible, then as large as possible: what does
/// not fit gets smaller, down to the smallest side; then coarser, as large as possible again; then
/// loses frames while time is kept; then its end. What is left then is the still.
struct AnimationLadder: Sendable {
    /// How much smaller the next size is: a fifth fewer pixels.
    private static let step = 0.9
    private let outline: AnimationOutline
    private let settings: AnimationSettings

    /// Prepares the ladder of an animation.
    ///
    /// - Parameters:
    ///   - outline: The animation.
    ///   - settings: What is asked of the output.
    init(of outline: AnimationOutline, _ settings: AnimationSettings) {
        (self.outline, self.settings) = (outline, settings)
    }

    /// The rungs within the render budget.
    var rungs: [AnimationRung] {
        timings.flatMap { timing in
            let frames = FrameSchedule(
                outline.delays, stride: timing.stride, until: timing.duration
            ).slots.count
            let sizes = sizes(frames: frames)
            return Treatment.ladder.flatMap { treatment in
                sizes.map { size in
                    AnimationRung(
                        width: size.width, height: size.height, treatment: treatment,
                        stride: timing.stride, duration: timing.duration)
                }
            }
        }
    }

    /// All frames, then fewer and fewer, then half of the time and so on.
    private var timings: [(stride: Int, duration: Int)] {
        let whole = outline.milliseconds
        let mean = max(1, whole / max(1, outline.delays.count))
        let strides = Array(
            1...max(1, min(outline.delays.count / 2, settings.longestMeanDelay / mean)))
        var timings = strides.map { (stride: $0, duration: whole) }
        var duration = whole / 2
        while duration >= settings.shortestDuration {
            timings.append((strides.last ?? 1, duration))
            duration /= 2
        }
        return timings
    }

    /// The sizes within the render budget, largest first; none when the smallest passes it.
    private func sizes(frames: Int) -> [(width: Int, height: Int)] {
        let (width, height) = (Double(outline.width), Double(outline.height))
        let pixels = Double(settings.renderBytes) / 4 / Double(max(1, frames))
        let longest = max(width, height)
        let floor = min(1, Double(settings.smallestSide) / longest)
        var share = min(
            1, Double(settings.width) / width, Double(settings.height) / height,
            (pixels / (width * height)).squareRoot())
        var sizes: [(width: Int, height: Int)] = []
        // What must be smaller than the floor for its sides is not held up by it.
        if share < floor, pixels >= width * height * floor * floor { sizes.append(size(share)) }
        while share >= floor {
            sizes.append(size(share))
            guard share > floor else { break }
            share = max(floor, share * Self.step)
        }
        return sizes
    }

    private func size(_ share: Double) -> (width: Int, height: Int) {
        (
            max(1, Int(Double(outline.width) * share)), max(1, Int(Double(outline.height) * share))
        )
    }
}
