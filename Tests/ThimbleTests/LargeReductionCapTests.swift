import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

/// Workers reduce the widest files under a small cap.
@Suite("Large reductions under a cap", .timeLimit(.minutes(5)))
struct LargeReductionCapTests {
    /// Processes a file under a cap, and expects its full size and a valid prediction.
    private func reduce(
        _ file: String, to size: PixelSize, cap: String, in folder: URL
    ) throws {
        let run = try Command.thimble(
            "process", file, "--id", "x", "--container", "C", "--cap", cap, "--enforce",
            "rlimit", "--max-pixels", "1000000000", "--timeout", "240", "--report", "json",
            in: folder)
        try #require(run.code == 0, "\(run.errors) \(run.output)")
        let manifest = try ProcessOutput.attachment(run.output).manifest
        #expect(manifest.engine == "rows" && manifest.rung == "streamed")
        #expect(manifest.rendition(.expanded)?.size == size)
        let measured = try #require(manifest.measuredPeak).bytes
        let predicted = try #require(manifest.predictedPeak).bytes
        #expect(measured <= predicted && predicted <= 2 * measured + 2_000_000)
    }

    @Test("A bomb of 900 megapixels has its full size")
    func bomb() throws {
        try WorkingFolder.with { folder in
            try #require(Bombs.all()["plain.png"]).write(to: folder.appending(path: "plain.png"))
            try reduce(
                "plain.png", to: PixelSize(width: 1320, height: 1320), cap: "8MiB",
                in: folder)
        }
    }

    @Test("Gradients of 30,000 columns have their full size", arguments: 1...4)
    func gradient(bands: Int) throws {
        try WorkingFolder.with { folder in
            let joined = Array(repeating: "grey.v", count: bands).joined(separator: " ")
            let line =
                "vips grey grey.v 30000 3000 --uchar && vips bandjoin '\(joined)' "
                + "'in.png[compression=1]'"
            try #require(try Command.shell(line, in: folder).code == 0)
            try reduce(
                "in.png", to: PixelSize(width: 1320, height: 132), cap: "12MiB",
                in: folder)
        }
    }
}
