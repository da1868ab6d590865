/// All rounds of all contenders, and what follows from them.
struct Measurements: Encodable {
    /// The median of some rounds, and how far they lie apart.
    struct Spread: Encodable {
        /// The middle round.
        let median: Double
        /// The least of the rounds.
        let least: Double
        /// The greatest of the rounds.
        let greatest: Double

        /// Sums up the rounds.
        ///
        /// - Parameter rounds: A figure for each, at least one.
        init(_ rounds: [Double]) {
            let sorted = rounds.sorted()
            let middle = sorted.count / 2
            median =
                sorted.count.isMultiple(of: 2)
                ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
            least = sorted[0]
            greatest = sorted[sorted.count - 1]
        }
    }

    /// One contender's figures.
    struct Row: Encodable {
        /// The contender's name.
        let name: String
        /// Its command in words.
        let command: String
        /// Processor time for one attachment, in milliseconds.
        let processor: Spread
        /// Elapsed time for one attachment, in milliseconds.
        let wall: Spread
    }

    /// A comparison of two contenders, round by round.
    struct Ratio: Encodable {
        /// What is compared, in words.
        let name: String
        /// The quotients of rounds that were run one after the other.
        let quotient: Spread
    }

    /// How many attachments a round did.
    let attachments: Int
    /// How many rounds there were, without the warm-up.
    let rounds: Int
    /// The contenders.
    let rows: [Row]
    /// Processor time of the whole job against that of `vipsthumbnail`, one at a time.
    let processorRatio: Ratio
    /// Elapsed time of two at once against that of `vipsthumbnail` with its default threads.
    let wallRatio: Ratio
    /// Processor time of the whole job against that of the floor.
    let floorRatio: Ratio

    /// Whether neither ratio to `vipsthumbnail` is above one.
    var isWithinBounds: Bool {
        processorRatio.quotient.median <= 1 && wallRatio.quotient.median <= 1
    }
}
