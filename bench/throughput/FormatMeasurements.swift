import BenchmarkMeasuring

/// Processor time per format, with its ratio to `vipsthumbnail`.
struct FormatMeasurements: Encodable {
    struct Row: Encodable {
        let format: String
        /// Processor time of the whole job, in milliseconds.
        let thimble: Spread
        /// Processor time of `vipsthumbnail` making only the expanded size, in milliseconds.
        let vipsthumbnail: Spread
        /// Ratio per round.
        let processorRatio: Spread
        /// Ratio of elapsed times per round.
        let wallRatio: Spread
    }

    /// Number of rounds, without the warm-up.
    let rounds: Int
    let rows: [Row]

    /// True if no format takes more processor time than with `vipsthumbnail`.
    var isWithinBounds: Bool { rows.allSatisfy { $0.processorRatio.median <= 1 } }

    var markdown: String {
        let lines = rows.map {
            "| \($0.format) | \($0.thimble.text(digits: 0)) | \($0.vipsthumbnail.text(digits: 0)) "
                + "| \($0.processorRatio.text(digits: 2)) | \($0.wallRatio.text(digits: 2)) |"
        }
        return """
            One picture of 12 megapixels to 1320 px, a new process for each, from start to exit: the whole \
            job by `thimble process`, and the expanded size alone by `vipsthumbnail` with one thread; \
            \(rounds) rounds: median (least to greatest).

            | | thimble: CPU, ms | vipsthumbnail: CPU, ms | CPU, of vipsthumbnail's | wall, of vipsthumbnail's |
            |---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }
}
