import AnimationReference
import AttachmentContainer
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@Suite(
    "Animations from other projects",
    .enabled(if: Corpus.isAvailable, "the corpus is missing"), .timeLimit(.minutes(4)))
struct RealAnimationTests {
    /// Processes an attachment with its index as identifier.
    private func process(
        _ path: String, _ number: Int, in fixture: ProcessorFixture,
        _ change: (inout ProcessingSettings) -> Void = { _ in }
    ) async throws -> Manifest {
        let name = "\(number)-\((path as NSString).lastPathComponent)"
        try FileManager.default.copyItem(at: URL(filePath: path), to: fixture.url(name))
        return try await fixture.process(name, identifier: "\(number)", change).manifest
    }

    @Test("With large budgets every frame equals Pillow's")
    func playsIdentically() async throws {
        try await ProcessorFixture.with { fixture in
            let references = try ReferenceAnimation.decoded(
                Corpus.animations, into: fixture.folder.path)
            try #require(references.count == Corpus.animations.count)
            var paths: [String] = []
            for (number, path) in Corpus.animations.enumerated() {
                let manifest = try await process(path, number, in: fixture) {
                    $0.animationRenderBudget = .mebibytes(256)
                    $0.maximumBytes = .megabytes(50)
                }
                let reference = references[number]
                let size = PixelSize(width: reference.width, height: reference.height)
                let rendition = try #require(manifest.rendition(.attachment), "\(path)")
                #expect(rendition.size == size && rendition.frames == reference.frames)
                #expect(rendition.loopCount == reference.plays, "\(path)")
                #expect(manifest.rung == "animated" && manifest.source.frames == reference.frames)
                paths.append(fixture.url("\(number).gif").path)
                try fixture.bytes(.attachment, of: manifest).write(to: URL(filePath: paths[number]))
            }
            let played = try ReferenceAnimation.decoded(paths, into: fixture.folder.path)
            try #require(played.count == references.count)
            for (played, reference) in zip(played, references) {
                let differences = try played.differences(from: reference)
                #expect(differences.isEmpty, "\(reference): \(differences)")
            }
            #expect(try fixture.incoming.isEmpty)
        }
    }

    @Test("With default settings all are animated, with the same duration, within both budgets")
    func budgets() async throws {
        try await ProcessorFixture.with { fixture in
            let references = try ReferenceAnimation.decoded(
                Corpus.animations, into: fixture.folder.path)
            try #require(references.count == Corpus.animations.count)
            for (number, path) in Corpus.animations.enumerated() {
                let manifest = try await process(path, number, in: fixture)
                let rendition = try #require(manifest.rendition(.attachment), "\(path)")
                #expect(rendition.bytes <= ProcessorFixture.settings.maximumBytes)
                #expect(rendition.decodedBytes <= ProcessorFixture.settings.animationRenderBudget)
                let time = Double(references[number].delays.reduce(0, +)) / 1000
                #expect(abs((rendition.duration ?? 0) - time) <= 0.01, "\(path)")
                #expect(manifest.rendition(.banner) != nil)
            }
        }
    }

    @Test("A damaged animation is an error, or animated in tolerant mode")
    func damaged() async throws {
        try await ProcessorFixture.with { fixture in
            try FileManager.default.copyItem(
                at: URL(filePath: Corpus.truncatedAnimation), to: fixture.url("damaged.gif"))
            #expect(try await fixture.refuse("damaged.gif")?.code == .corrupt)
            let manifest = try await process(Corpus.truncatedAnimation, 0, in: fixture) {
                $0.toleratesTruncation = true
            }
            #expect(manifest.rendition(.attachment)?.frames == 4)
        }
    }
}
