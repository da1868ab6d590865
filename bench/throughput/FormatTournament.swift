import BenchmarkMeasuring
import Foundation

/// Runs thimble and `vipsthumbnail` on one picture of each format in turn.
struct FormatTournament {
    /// Folder of the pictures.
    let corpus: URL
    let thimble: URL
    /// Folder for the output.
    let scratch: URL

    /// Opaque pictures of 12 megapixels, by the names of `bench/corpus/make_corpus.py`.
    private static let formats = [
        ("JPEG, baseline", "jpeg-baseline-12mp.jpg"),
        ("JPEG, progressive", "jpeg-progressive-12mp.jpg"),
        ("JPEG, Display P3", "jpeg-display-p3-12mp.jpg"),
        ("JPEG, orientation 6", "jpeg-orientation-6-12mp.jpg"),
        ("HEIC, tiles as of phones", "heic-grid-12mp.heic"),
        ("HEIC, one picture", "heic-single-12mp.heic"),
        ("AVIF", "avif-12mp.avif"),
        ("WebP, lossless", "webp-lossless-12mp.webp"),
        ("WebP, lossy", "webp-lossy-12mp.webp"),
        ("PNG", "png-rgb-12mp.png"),
        ("PNG, Adam7", "png-adam7-12mp.png"),
        ("PNG, 16 bits", "png-16-bit-12mp.png"),
    ]

    /// Runs both once per format for warm-up, then once per round.
    func run(rounds: Int) throws -> FormatMeasurements {
        let rows = try Self.formats.map { name, file in
            let picture = corpus.appendingPathComponent(file)
            guard FileManager.default.fileExists(atPath: picture.path) else {
                throw BenchmarkError("no \(picture.path): run make bench-corpus")
            }
            var costs: [(own: Cost, peer: Cost)] = []
            for round in 0...rounds {
                let pair = try (own: cost(of: whole(picture)), peer: cost(of: thumbnail(picture)))
                // The first round fills the file cache and does not count.
                if round > 0 { costs.append(pair) }
            }
            return FormatMeasurements.Row(
                format: name,
                thimble: Spread(costs.map { $0.own.processor * 1000 }),
                vipsthumbnail: Spread(costs.map { $0.peer.processor * 1000 }),
                processorRatio: Spread(costs.map { $0.own.processor / $0.peer.processor }),
                wallRatio: Spread(costs.map { $0.own.wall / $0.peer.wall }))
        }
        return FormatMeasurements(rounds: rounds, rows: rows)
    }

    private func cost(of command: ChildProcess) throws -> Cost {
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        return try Cost.measured { try command.run() }
    }

    private func whole(_ picture: URL) -> ChildProcess {
        ChildProcess(
            thimble.path, "process", picture.path, "--id", "a",
            "--container", scratch.appendingPathComponent("container").path, "--quality", "80")
    }

    private func thumbnail(_ picture: URL) -> ChildProcess {
        var command = ChildProcess("vipsthumbnail", "--vips-concurrency=1", "-s", "1320x")
        // Only this picture has a profile; others would be converted for nothing.
        if picture.lastPathComponent.contains("display-p3") {
            command.arguments += ["--export-profile", "srgb"]
        }
        command.arguments += ["-o", scratch.path + "/peer.jpg[Q=80,strip]", picture.path]
        return command
    }
}
