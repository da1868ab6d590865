import BenchmarkMeasuring

/// All rounds of all contenders, with their ratios.
struct Measurements: Encodable {
    struct Row: Encodable {
        let name: String
        /// Description of its command.
        let command: String
        /// Processor time per attachment, in milliseconds.
        let processor: Spread
        /// Elapsed time per attachment, in milliseconds.
        let wall: Spread
    }

    /// Another library or program.
    struct Peer: Encodable {
        let row: Row
        /// Name and version of the library.
        let version: String
        /// Differences of its work or result.
        let remark: String
        /// Processor time relative to the whole job of thimble.
        let processorRatio: Spread
    }

    /// Comparison of two contenders, per round.
    struct Ratio: Encodable {
        /// Description of the comparison.
        let name: String
        /// Ratios of consecutive runs.
        let quotient: Spread
    }

    /// Attachments per round.
    let attachments: Int
    /// Number of rounds, without the warm-up.
    let rounds: Int
    let rows: [Row]
    /// Peers that are installed.
    let peers: [Peer]
    /// Names of the other peers.
    let missingPeers: [String]
    /// Processor time of the whole job relative to single-threaded `vipsthumbnail`.
    let processorRatio: Ratio
    /// Elapsed time with two jobs relative to `vipsthumbnail` with its default threads.
    let wallRatio: Ratio
    /// Processor time of the whole job relative to the lower bound.
    let floorRatio: Ratio

    /// True if neither ratio to `vipsthumbnail` exceeds 1.
    var isWithinBounds: Bool {
        processorRatio.quotient.median <= 1 && wallRatio.quotient.median <= 1
    }
}
