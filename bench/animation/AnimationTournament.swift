import BenchmarkMeasuring
import Foundation

/// Runs the contenders in turn on each animation.
struct AnimationTournament {
    let thimble: URL
    let pictures: [MovingPicture]
    /// Folder for the contenders' output.
    let scratch: URL

    /// The first is compared with the others.
    var contenders: [AnimationContender] {
        [.thimble(thimble), .gifsicle, .gifsicleBlended, .vipsthumbnail]
            + (AnimationContender.isNewestLibvipsInstalled ? [.newestLibvips] : [])
    }

    /// Comparison of `thimble` with another program on one animation.
    struct Comparison {
        /// Ratio of processor times, per round.
        let processor: Spread
        /// Ratio of elapsed times, per round.
        let wall: Spread
        /// Ratio of GIF sizes.
        let size: Double
    }

    /// Figures of one animation.
    struct Row {
        let picture: MovingPicture
        /// Processor time of `thimble`, in milliseconds.
        let processor: Spread
        /// Part of it in the kernel, 0 to 1.
        let kernel: Spread
        /// Elapsed time of `thimble`, in milliseconds.
        let wall: Spread
        /// Size of its GIF, in bytes.
        let bytes: Int
        /// Other contenders; nil for those that cannot read the file.
        let comparisons: [Comparison?]
    }

    /// Runs every contender once for warm-up, then once per round.
    func run(rounds: Int) throws -> [Row] {
        try pictures.map { picture in
            var outcomes = contenders.map { _ in [AnimationContender.Outcome]() }
            for round in 0...rounds {
                for (number, contender) in contenders.enumerated() {
                    let outcome = try contender.run(picture, in: scratch)
                    // The first round fills the file cache and does not count.
                    if round > 0, let outcome { outcomes[number].append(outcome) }
                }
            }
            let own = outcomes[0]
            return Row(
                picture: picture, processor: Spread(own.map { $0.cost.processor * 1000 }),
                kernel: Spread(own.map { $0.cost.kernel / $0.cost.processor }),
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
