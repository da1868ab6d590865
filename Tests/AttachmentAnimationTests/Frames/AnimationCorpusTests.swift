import AnimationReference
import AttachmentAnimation
import AttachmentDecoding
import AttachmentPlanning
import Foundation
import Testing

/// A folder of real pictures, which is no part of the package: `THIMBLE_CORPUS` names it, else it is
/// looked for beside the package.
enum AnimationCorpus {
    static let folder =
        ProcessInfo.processInfo.environment["THIMBLE_CORPUS"]
        ?? URL(filePath: #filePath).appending(path: "../../../../../shared/corpus")
        .standardizedFileURL.path

    static let isThere = FileManager.default.fileExists(atPath: folder + "/MANIFEST.tsv")

    /// Its animations that Pillow decodes; one more is damaged.
    static let files = [
        "glide__transparent_disposal_background.gif", "libvips__cogs.gif",
        "libvips__dispose-previous.gif",
        "lilliput__complex_dispose_and_blend.webp", "lilliput__restore_previous.gif",
        "nuke__cat.gif", "sdwebimage__TestImageAnimated.apng",
    ]
}

@Suite("Animations of other projects", .timeLimit(.minutes(4)))
struct AnimationCorpusTests {
    @Test(
        "Pillow shows the same at every frame of every one",
        .enabled(if: AnimationCorpus.isThere, "there is no corpus"))
    func corpus() throws {
        let folder = NSTemporaryDirectory() + "thimble-animations-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let paths = AnimationCorpus.files.map { AnimationCorpus.folder + "/" + $0 }
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
            // Blends of WebP and PNG are rounded in several ways.
            #expect(worst <= (path.hasSuffix(".gif") ? 0 : 3), "\(path)")
        }
    }

    @Test(
        "Of a damaged one all frames are shown",
        .enabled(if: AnimationCorpus.isThere, "there is no corpus"))
    func damaged() throws {
        let path = AnimationCorpus.folder + "/libvips__invalid_multiframe.gif"
        let outline = try OpenAnimation.at(path) {
            try AnimationOutline(of: $0, in: OpenAnimation.scratch, limits: AnimationLimits())
        }
        #expect(outline.delays.count == 4)
        #expect((outline.width, outline.height) == (10, 9))
        #expect(outline.isCut)
        #expect(try ConvertedAnimation(path).drawn().pixels.count == 4)
        #expect(throws: AnimationFault.self) {
            try OpenAnimation.at(path, isTolerant: false) {
                try ConvertedAnimation($0, AnimationSettings())
            }
        }
    }
}
