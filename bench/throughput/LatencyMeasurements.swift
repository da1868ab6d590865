import BenchmarkMeasuring

/// What answers took, in milliseconds, and what that is of `vipsthumbnail`'s time.
struct LatencyMeasurements: Encodable {
    /// How many rounds there were, without the one that warmed up.
    let rounds: Int
    /// A new process in a new container, from its start to its end.
    let cold: Spread
    /// A payload more in a process that has warm workers, from the payload to its answer.
    let warm: Spread
    /// A process that makes the expanded size alone.
    let vipsthumbnail: Spread
    /// Cold against `vipsthumbnail`, round by round.
    let coldRatio: Spread
    /// Warm against `vipsthumbnail`, round by round.
    let warmRatio: Spread

    /// Whether both ratios are within what was set out to reach.
    var isWithinBounds: Bool { coldRatio.median <= 1.3 && warmRatio.median <= 0.6 }

    /// The figures as a Markdown table.
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
