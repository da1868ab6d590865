import AnimationReference
import AttachmentPipeline
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@Suite("Animations of other projects", .timeLimit(.minutes(4)))
struct AnimationCorpusTests {
    @Test(
        "Pillow decodes every frame to the same pixels",
        .enabled(if: Corpus.isAvailable, "there is no corpus"))
    func corpus() throws {
        let folder = NSTemporaryDirectory() + "thimble-animations-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let paths = Corpus.animations
        let lines = try Script.output("decode_animations.py", [folder] + paths)
            .split(separator: "\n")
        try #require(lines.count == paths.count)
        for (path, line) in zip(paths, lines) {
            let reference = try #require(ReferenceAnimation(line, in: folder))
            let drawn = try OpenAnimation.at(path) { try DrawnAnimation($0) }
            #expect((drawn.width, drawn.height) == (reference.width, reference.height), "\(path)")
            #expect(drawn.delays == reference.delays, "\(path)")
            let expected = try reference.pixels()
            try #require(expected.count == drawn.pixels.joined().count, "\(path)")
            let worst = zip(expected, drawn.pixels.joined()).map(distance).max() ?? 0
            // Decoders round WebP and PNG blends differently.
            #expect(worst <= (path.hasSuffix(".gif") ? 0 : 3), "\(path)")
        }
    }

    @Test(
        "All frames of a damaged file are shown",
        .enabled(if: Corpus.isAvailable, "there is no corpus"))
    func damaged() throws {
        let path = Corpus.truncatedAnimation
        let outline = try OpenAnimation.at(path) {
            try AnimationOutline(of: $0)
        }
        #expect(outline.delays.count == 4)
        #expect((outline.width, outline.height) == (10, 9))
        #expect(!outline.faults.isEmpty)
        #expect(try ConvertedAnimation(path).drawn().pixels.count == 4)
        #expect(throws: AnimationFault.self) {
            try OpenAnimation.at(path, isTolerant: false) {
                try ConvertedAnimation($0, AnimationSettings())
            }
        }
    }
}
