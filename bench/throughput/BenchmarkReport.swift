import BenchmarkMeasuring

/// The figures with their machine.
struct BenchmarkReport: Encodable {
    let measurements: Measurements
    let machine: Machine

    var markdown: String {
        let rows = measurements.rows.map {
            "| \($0.name) | \($0.processor.text(digits: 1)) | \($0.wall.text(digits: 1)) |"
        }
        let ratios = [
            measurements.processorRatio, measurements.wallRatio, measurements.floorRatio,
        ].map { "| \($0.name) | \($0.quotient.text(digits: 2)) |" }
        let commands = (measurements.rows + measurements.peers.map(\.row)).map {
            "- \($0.name): `\($0.command)`"
        }
        let lines =
            [
                "\(measurements.attachments) JPEGs of 3 to 12 megapixels to 1320 px; "
                    + "\(measurements.rounds) rounds: median (least to greatest).", "",
                "| | CPU, ms an attachment | wall, ms an attachment |", "|---|---|---|",
            ] + rows + ["", "| ratio, round by round | |", "|---|---|"] + ratios + [""]
            + peers + ["", "## Commands", ""] + commands + ["", machine.text]
        return lines.joined(separator: "\n")
    }

    /// Table of the peers, and published figures of one that is not measured.
    private var peers: [String] {
        let measured = measurements.peers.map { peer in
            "| \(peer.row.name) | \(peer.version) | \(peer.row.processor.text(digits: 1)) "
                + "| \(peer.row.wall.text(digits: 1)) | \(peer.processorRatio.text(digits: 2)) "
                + "| \(peer.remark) |"
        }
        let missing = measurements.missingPeers.map { "| \($0) | not installed | | | | |" }
        return [
            "## Peers", "",
            "The expanded size alone, without banner, digests and durable writes: all files in one "
                + "process and one thread.", "",
            "| | version | CPU, ms | wall, ms | CPU, of thimble's (1 at once) | |",
            "|---|---|---|---|---|---|",
        ] + measured + missing + ["", Self.published]
    }

    /// Figures that cannot be measured without the network: the crate is in no other registry.
    private static let published = """
        oximg (Rust), which streams rows through vector code too, is not measured: it is published as \
        a crate and as a container image only. Its authors measured release 0.11: 9.8 ms of CPU for a \
        JPEG of 1280 x 720 to 512 px as WebP, where imgproxy 4.0.11, with libvips, took 17.3, and \
        10.4 MB at the peak for its 38.5 \
        ([gif-evaluation.md](https://github.com/oximg/oximg/blob/main/docs/gif-evaluation.md), 8.1). \
        Of 0.5 they published JPEG to JPEG: 19.0 ms of CPU for 2.7 megapixels to 500 px where \
        imgproxy took 21.2 (0.90), and 78.7 JPEGs a second to 512 px on two cores where the fastest \
        of imgproxy, imagor and thumbor did 67.0 \
        ([BENCH.md](https://github.com/oximg/oximg/blob/main/BENCH.md), \
        [README.md](https://github.com/oximg/oximg/blob/main/README.md)). It reduces in linear \
        light, and its encoder, jpegli, needs 11 to 12 % fewer bytes for the same SSIMULACRA2 \
        ([QUALITY.md](https://github.com/oximg/oximg/blob/main/bench/quality/QUALITY.md)).
        """
}
