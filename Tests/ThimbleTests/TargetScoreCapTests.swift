import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

/// Workers score renditions under small caps.
@Suite("Target scores under a cap", .timeLimit(.minutes(3)))
struct TargetScoreCapTests {
    private static let images = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Images")

    @Test(
        "The measured peak is at most the prediction, that at most the cap, and 12 MiB are enough",
        arguments: [
            "lake-baseline.jpg", "ridges-progressive.jpg", "lake-evening.heic", "meadow.tiff",
            "gerbera-display-p3.jpg", "thimble-alpha.png",
        ], ["auto", "libvips"])
    func peaks(name: String, engine: String) throws {
        try WorkingFolder.with { folder in
            try FileManager.default.copyItem(
                at: Self.images.appending(path: name), to: folder.appending(path: name))
            for cap in [12, 24] {
                let line =
                    "thimble process \(name) --id x --container C-\(cap) --report json "
                    + "--enforce monitor --cap \(cap)MiB --engine \(engine) --target-score 75"
                let run = try Command.shell(line, in: folder)
                // libvips takes more than the smaller cap for some of them, whatever the score.
                guard run.code == 0 || engine == "auto" else { continue }
                let manifest = try ProcessOutput.attachment(run.output).manifest
                let predicted = try #require(manifest.predictedPeak)
                let measured = try #require(manifest.measuredPeak)
                #expect(measured <= predicted, "\(measured) of \(predicted)")
                #expect(predicted.bytes <= cap << 20)
                #expect(engine == "libvips" || !["reduced", "preview"].contains(manifest.rung))
                guard name != "thimble-alpha.png" else { continue }
                #expect(manifest.notes.contains { $0.hasPrefix("score ") }, "\(manifest.notes)")
            }
        }
    }

    @Test("A quality beside a target score is refused, and both options are named")
    func quality() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "thimble process x.jpg --container C --quality 70 --target-score 75 2>&1",
                in: folder)
            #expect(run.code == 64)
            #expect(run.output.contains("--quality") && run.output.contains("--target-score"))
        }
    }
}
