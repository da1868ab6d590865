import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

/// Workers turn the longest and the least regular files under small caps.
@Suite("Turning under a cap", .timeLimit(.minutes(3)))
struct TurningCapTests {
    /// Writes noise as a JPEG with an orientation.
    private func write(_ options: String, _ orientation: UInt8, in folder: URL) throws {
        let size = (width: 1280, height: 960)
        let line =
            "(printf 'P6 \(size.width) \(size.height) 255\\n'; "
            + "head -c \(3 * size.width * size.height) /dev/urandom) "
            + "| cjpeg -quality 75 \(options) -outfile plain.jpg"
        #expect(try Command.shell(line, in: folder).code == 0)
        try Data(contentsOf: folder.appending(path: "plain.jpg")).withOrientation(orientation)
            .write(to: folder.appending(path: "in.jpg"))
    }

    @Test(
        "The measured peak is at most the prediction, and that at most the cap",
        arguments: ["-sample 1x1", "-sample 2x2", "-sample 1x1 -progressive", "-grayscale"],
        [UInt8(3), 6])
    func peaks(options: String, orientation: UInt8) throws {
        try WorkingFolder.with { folder in
            try write(options, orientation, in: folder)
            var turned = 0
            for cap in [8, 12, 64] {
                for scratch in ["1GB", "0"] {
                    let line =
                        "thimble process in.jpg --id x --container C-\(cap)-\(scratch) "
                        + "--report json --enforce monitor --cap \(cap)MiB "
                        + "--max-scratch \(scratch)"
                    let run = try Command.shell(line, in: folder)
                    guard run.code == 0 else { continue }
                    let manifest = try ProcessOutput.attachment(run.output).manifest
                    let predicted = try #require(manifest.predictedPeak)
                    #expect(try #require(manifest.measuredPeak) <= predicted)
                    #expect(predicted.bytes <= cap << 20)
                    turned += manifest.notes == ["turned without loss"] ? 1 : 0
                }
            }
            // With scratch files under every cap; without, under the largest. Baseline coding of noise
            // is longer than progressive coding, which is no reason to grow.
            #expect(options.contains("progressive") ? turned == 0 : turned >= 4)
        }
    }
}
