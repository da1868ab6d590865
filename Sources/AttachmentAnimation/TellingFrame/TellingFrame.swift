/// Finds the frame that tells most of an animation, in one pass.
///
/// A frame tells much when it is not blank, has contrast and detail, and is not on its way from one
/// picture to another: then it differs from both of its neighbours. The first of equals is taken,
/// since the animation begins near it.
struct TellingFrame {
    /// The best frame up to now.
    private(set) var index = 0
    private var bestScore = -Double.infinity
    /// What the last frame would score if the next one is like it, and how it differs from the one
    /// before.
    private var last: (index: Int, thumbnail: FrameThumbnail, score: Double, difference: Double)?

    /// How much more another frame must score, so that one does not beat the first by noise.
    private static let margin = 1.02

    /// Takes in the next frame.
    ///
    /// - Parameters:
    ///   - index: Its number.
    ///   - thumbnail: What it shows.
    mutating func add(_ index: Int, _ thumbnail: FrameThumbnail) {
        let difference = last.map { thumbnail.difference(to: $0.thumbnail) } ?? 0
        settle(nextDifference: difference)
        let score = (thumbnail.contrast + 2 * thumbnail.detail) * thumbnail.coverage
        last = (index, thumbnail, score, difference)
    }

    /// Ends the pass.
    mutating func finish() { settle(nextDifference: 0) }

    private mutating func settle(nextDifference: Double) {
        guard let last else { return }
        // A difference of 16 levels on both sides, as in a fade, halves the score.
        let unrest = min(last.difference, nextDifference)
        let score = last.score / (1 + unrest / 16)
        if bestScore < 0 || score > bestScore * Self.margin {
            (bestScore, index) = (score, last.index)
        }
        self.last = nil
    }
}
