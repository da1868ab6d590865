import BenchmarkMeasuring

/// Latencies in milliseconds, with their ratios to `vipsthumbnail`.
struct LatencyMeasurements: Encodable {
    /// Number of rounds, without the warm-up.
    let rounds: Int
    /// A new process in a new container, from its start to its answer.
    let cold: Spread
    /// One more payload in a process with warm workers.
    let warm: Spread
    /// `vipsthumbnail` making only the expanded size.
    let vipsthumbnail: Spread
    /// Ratio per round.
    let coldRatio: Spread
    /// Ratio per round.
    let warmRatio: Spread

    /// True if both ratios meet their targets.
    var isWithinBounds: Bool { coldRatio.median <= 0.6 && warmRatio.median <= 0.5 }

    var markdown: String {
        """
        One baseline JPEG of 12 megapixels to 1320 px, as the attachment of a payload; \
        \(rounds) rounds: median (least to greatest).

        | | ms | of vipsthumbnail, round by round |
        |---|---|---|
        | `thimble stage`, cold: a new process, worker and container | \(cold.text(digits: 0)) | \
        \(coldRatio.text(digits: 2)) |
        | `thimble stage`, warm: a payload more | \(warm.text(digits: 0)) | \
        \(warmRatio.text(digits: 2)) |
        | `vipsthumbnail`, a new process | \(vipsthumbnail.text(digits: 0)) | 1 |
        """
    }
}
