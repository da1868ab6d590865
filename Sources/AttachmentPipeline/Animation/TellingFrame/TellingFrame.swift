internal import AttachmentFormats

/// Finds the most telling frame of an animation in one pass.
///
/// Such a frame is not blank, has contrast and detail, and is not part of a transition, where it
/// would differ from both neighbours. On a tie, the earliest wins, because the animation begins
/// near it.
struct TellingFrame {
    private(set) var index = 0
    private var bestScore = -Double.infinity
    private var thumbnail = FrameThumbnail()
    /// The previous frame, its score without transitions, and its difference from the one before.
    private var last: (index: Int, thumbnail: FrameThumbnail, score: Double, difference: Double)?

    /// Factor by which a later frame must beat the best, so that noise does not decide.
    private static let margin = 1.02

    /// Adds the last drawn frame; returns true if a sampled pixel became blank.
    mutating func add(_ playback: Playback, changed: ChangedRegion) throws(DecodingFault) -> Bool {
        let becameBlank = try thumbnail.update(from: playback.canvas, changed: changed)
        let difference = last.map { thumbnail.difference(to: $0.thumbnail) } ?? 0
        scoreLast(nextDifference: difference)
        let score = (thumbnail.contrast + 2 * thumbnail.detail) * thumbnail.coverage
        last = (playback.count - 1, thumbnail, score, difference)
        return becameBlank
    }

    mutating func finish() { scoreLast(nextDifference: 0) }

    private mutating func scoreLast(nextDifference: Double) {
        guard let last else { return }
        // A difference of 16 levels on both sides, as in a fade, halves the score.
        let instability = min(last.difference, nextDifference)
        let score = last.score / (1 + instability / 16)
        if bestScore < 0 || score > bestScore * Self.margin {
            (bestScore, index) = (score, last.index)
        }
        self.last = nil
    }
}
