import BenchmarkMeasuring

/// Latencies in milliseconds, with their ratios to `vipsthumbnail`.
struct LatencyMeasurements: Encodable {
    /// Both programs with nothing of them or of the picture in the page cache.
    struct Cold: Encodable {
        let thimble: Spread
        let vipsthumbnail: Spread
        /// Ratio per round.
        let ratio: Spread

        init(times: [Double], peer: [Double]) {
            (thimble, vipsthumbnail) = (Spread(times), Spread(peer))
            ratio = Spread(zip(times, peer).map(/))
        }
    }

    /// Number of rounds, without the warm-up.
    let rounds: Int
    /// Read-ahead of the disk with the programs, in kilobytes; nil if unknown.
    let readAhead: Int?
    /// Nil if this process may not drop the page cache.
    let cold: Cold?
    /// A new process in a new container, from its start to its answer.
    let new: Spread
    /// One more payload in a process with warm workers.
    let warm: Spread
    /// Same, of the picture with a restart marker before each row of units.
    let restarts: Spread
    /// `vipsthumbnail` making only the expanded size.
    let vipsthumbnail: Spread
    /// Ratio per round.
    let newRatio: Spread
    /// Ratio per round.
    let warmRatio: Spread
    /// Ratio per round.
    let restartsRatio: Spread

    /// True if the ratios meet their targets.
    var isWithinBounds: Bool {
        newRatio.median <= 0.6 && warmRatio.median <= 0.5 && (cold?.ratio.median ?? 0) <= 1
    }

    var markdown: String {
        """
        One baseline JPEG of 12 megapixels to 1320 px, as the attachment of a payload; \
        \(rounds) rounds: median (least to greatest). \(conditions)

        | | ms | of vipsthumbnail, round by round |
        |---|---|---|
        \(coldRow)| `thimble stage`, new: a new process, worker and container | \
        \(new.text(digits: 0)) | \(newRatio.text(digits: 2)) |
        | `thimble stage`, warm: a payload more | \(warm.text(digits: 0)) | \
        \(warmRatio.text(digits: 2)) |
        | the same, with a restart marker before each row of units | \
        \(restarts.text(digits: 0)) | \(restartsRatio.text(digits: 2)) |
        | `vipsthumbnail`, a new process | \(vipsthumbnail.text(digits: 0)) | 1 |\(coldPeerRow)
        """
    }

    private var conditions: String {
        let disk = readAhead.map { "The disk reads \($0) KiB ahead." } ?? "Read-ahead unknown."
        return cold == nil
            ? "\(disk) Not measured cold: this process may not drop the page cache." : disk
    }

    private var coldRow: String {
        guard let cold else { return "" }
        return "| `thimble stage`, cold: the same with an empty page cache | "
            + "\(cold.thimble.text(digits: 0)) | \(cold.ratio.text(digits: 2)) |\n"
    }

    private var coldPeerRow: String {
        guard let cold else { return "" }
        return "\n| `vipsthumbnail`, with an empty page cache | "
            + "\(cold.vipsthumbnail.text(digits: 0)) | 1 |"
    }
}
