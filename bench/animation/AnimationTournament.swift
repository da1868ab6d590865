import BenchmarkMeasuring
import Foundation

/// The rounds in which contenders take turns at each animation.
struct AnimationTournament {
    /// The program under test.
    let thimble: URL
    /// The animations.
    let pictures: [MovingPicture]
    /// A folder for what contenders write.
    let scratch: URL

    /// The contenders, first the one that the others are compared with.
    var contenders: [AnimationContender] {
        [.thimble(thimble), .gifsicle, .gifsicleBlended, .vipsthumbnail]
    }

    /// How another program compares with `thimble` at one animation.
    struct Comparison {
        /// The processor time of `thimble` by the other's, round by round.
        let processor: Spread
        /// The elapsed time of `thimble` by the other's, round by round.
        let wall: Spread
        /// The length of the GIF of `thimble` by the other's.
        let size: Double
    }

    /// One animation's figures.
    struct Row {
        /// The animation.
        let picture: MovingPicture
        /// Processor time of `thimble`, in milliseconds.
        let processor: Spread
        /// Elapsed time of `thimble`, in milliseconds.
        let wall: Spread
        /// The length of its GIF, in bytes.
        let bytes: Int
        /// Each other contender; nil where it cannot read the file.
        let comparisons: [Comparison?]
    }

    /// Runs every contender once to warm up, then in every round.
    ///
    /// - Parameter rounds: How many rounds count, at least one.
    /// - Returns: What was measured.
    /// - Throws: `BenchmarkError` when a contender fails.
    func run(rounds: Int) throws -> [Row] {
        try pictures.map { picture in
            var outcomes = contenders.map { _ in [AnimationContender.Outcome]() }
            for round in 0...rounds {
                for (number, contender) in contenders.enumerated() {
                    let outcome = try contender.run(picture, in: scratch)
                    // The first round fills the file cache and is not counted.
                    if round > 0, let outcome { outcomes[number].append(outcome) }
                }
            }
            let own = outcomes[0]
            return Row(
                picture: picture, processor: Spread(own.map { $0.cost.processor * 1000 }),
                wall: Spread(own.map { $0.cost.wall * 1000 }), bytes: own[0].bytes,
                comparisons: outcomes.dropFirst().map { Self.compare(own, with: $0) })
        }
    }

    private static func compare(
        _ own: [AnimationContender.Outcome], with others: [AnimationContender.Outcome]
    ) -> Comparison? {
        guard let other = others.first else { return nil }
        let pairs = zip(own, others)
        return Comparison(
            processor: Spread(pairs.map { $0.cost.processor / $1.cost.processor }),
            wall: Spread(pairs.map { $0.cost.wall / $1.cost.wall }),
            size: Double(own[0].bytes) / Double(other.bytes))
    }
}
