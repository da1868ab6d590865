import BenchmarkMeasuring

/// Cost per format, with its ratio to libvips.
struct FormatMeasurements: Encodable {
    struct Row: Encodable {
        let format: String
        /// True if the ratio of processor time to the peer has a bound.
        let isBounded: Bool
        /// Processor time of the whole job, in milliseconds a picture.
        let thimble: Spread
        /// Bytes of the expanded rendition.
        let length: Int
        /// `vipsthumbnail` of the system.
        let vipsthumbnail: Ratio
        /// libvips of PyPI; nil for HEIC, whose decoder its packages lack.
        let library: Ratio?

        /// True if processor time and elapsed time are within the bounds, and a PNG's length too.
        var isWithinBounds: Bool {
            guard let library else {
                return vipsthumbnail.processorRatio.median <= 1
                    && vipsthumbnail.wallRatio.median <= 1
            }
            return library.processorRatio.median <= (isBounded ? FormatMeasurements.bound : 1)
                && (!isBounded || library.wallRatio.median <= 1)
                && (!hasBoundedLength || length <= library.length)
        }

        /// True where a shorter rendition could otherwise be traded for time: a PNG, whose length
        /// follows from the effort, and the GIF.
        let hasBoundedLength: Bool
    }

    /// A peer that makes the expanded size alone.
    struct Ratio: Encodable {
        /// Processor time, in milliseconds a picture.
        let processor: Spread
        /// Thimble's processor time divided by the peer's, per round.
        let processorRatio: Spread
        /// Thimble's elapsed time divided by the peer's, per round.
        let wallRatio: Spread
        /// Bytes of the picture.
        let length: Int
    }

    /// Largest ratio of processor time to libvips of PyPI.
    static let bound = 0.8

    /// Number of rounds, without the warm-up.
    let rounds: Int
    /// Copies of a picture in each process.
    let copies: Int
    /// Versions that the peers report themselves.
    let vipsthumbnailVersion: String
    let libraryVersion: String
    let rows: [Row]

    /// True if every format is within its bounds.
    var isWithinBounds: Bool { rows.allSatisfy(\.isWithinBounds) }

    var markdown: String {
        let lines = rows.map { row in
            let missed = row.isWithinBounds ? "" : " (missed)"
            let (library, system) = (row.library, row.vipsthumbnail)
            return "| \(row.format)\(missed) | \(row.thimble.text(digits: 0)) "
                + "| \(library?.processor.text(digits: 0) ?? "") "
                + "| \(library?.processorRatio.text(digits: 2) ?? "") "
                + "| \(library?.wallRatio.text(digits: 2) ?? "") "
                + "| \(system.processorRatio.text(digits: 2)) "
                + "| \(system.wallRatio.text(digits: 2)) "
                + "| \(row.length) | \(library.map { "\($0.length)" } ?? "") | \(system.length) |"
        }
        return """
            \(copies) copies of one picture of 12 megapixels to 1320 px, all in one process, start included: the \
            whole job by `thimble batch --jobs 1`, which decodes with two threads while a core is idle, and the \
            expanded size alone, with one thread, by \
            \(libraryVersion) of PyPI and by `vipsthumbnail` (\(vipsthumbnailVersion)). Milliseconds of CPU a \
            picture, thimble's cost divided by the peer's, and bytes of the expanded size; \(rounds) interleaved \
            rounds: median (least to greatest).

            Bounds, of \(libraryVersion): CPU \(Self.bound), wall 1.0, and a length of at most its for PNGs \
            and the GIF; for Display P3 only CPU, 1.0. PyPI's libvips reads no HEIC, which is bounded by CPU and wall \
            of vipsthumbnail, 1.0.

            | | thimble | \(libraryVersion) | CPU, of its | wall, of its | CPU, of vipsthumbnail's \
            | wall, of vipsthumbnail's | bytes | \(libraryVersion) | vipsthumbnail |
            |---|---|---|---|---|---|---|---|---|---|
            \(lines.joined(separator: "\n"))
            """
    }
}
