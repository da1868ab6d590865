import BenchmarkMeasuring

/// All rounds of all contenders, and what follows from them.
struct Measurements: Encodable {
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
