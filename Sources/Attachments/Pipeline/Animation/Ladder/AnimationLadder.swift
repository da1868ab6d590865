internal import AttachmentPlanning

/// Candidate outputs, best first.
///
/// Reduces the size, down to the smallest side; then the quality, starting again at full size; then
/// drops frames but keeps the duration; finally cuts the end.
struct AnimationLadder: Sendable {
    /// Scale from one size to the next, about a fifth fewer pixels.
    private static let step = 0.9
    private let outline: AnimationOutline
    private let settings: AnimationSettings

    init(of outline: AnimationOutline, _ settings: AnimationSettings) {
        (self.outline, self.settings) = (outline, settings)
    }

    var rungs: [AnimationRung] {
        timings.flatMap { timing in
            let frames = FrameSchedule(
                outline.delays, stride: timing.stride, until: timing.duration
            ).slots.count
            let sizes = sizes(frames: frames)
            return FrameQuality.ladder.flatMap { quality in
                sizes.map { size in
                    AnimationRung(
                        width: size.width, height: size.height, quality: quality,
                        stride: timing.stride, duration: timing.duration)
                }
            }
        }
    }

    /// All frames, then fewer frames, then half the duration, and so on.
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

    /// Sizes within the render budget, largest first; empty if even the smallest exceeds it.
    private func sizes(frames: Int) -> [(width: Int, height: Int)] {
        let (width, height) = (Double(outline.width), Double(outline.height))
        let pixels = Double(settings.renderBytes) / 4 / Double(max(1, frames))
        let longest = max(width, height)
        let floor = min(1, Double(settings.smallestSide) / longest)
        var share = min(
            1, Double(settings.width) / width, Double(settings.height) / height,
            (pixels / (width * height)).squareRoot())
        var sizes: [(width: Int, height: Int)] = []
        // The floor does not apply to a size that the requested sides force.
        if share < floor, pixels >= width * height * floor * floor { sizes.append(size(share)) }
        while share >= floor {
            sizes.append(size(share))
            guard share > floor else { break }
            share = max(floor, share * Self.step)
        }
        let geometry = AnimationDemand.Geometry(
            width: outline.width, height: outline.height, outputWidth: settings.width,
            outputHeight: settings.height, smallestSide: settings.smallestSide)
        return sizes.filter {
            max(width / Double($0.width), height / Double($0.height)) <= geometry.largestStep
        }
    }

    private func size(_ share: Double) -> (width: Int, height: Int) {
        (max(1, Int(Double(outline.width) * share)), max(1, Int(Double(outline.height) * share)))
    }
}
