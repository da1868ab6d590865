import AnimationReference
import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import Testing

@Suite("Published animations", .timeLimit(.minutes(4)))
struct AnimationTests {
    private func reference(_ name: String) throws -> ReferenceAnimation {
        try #require(ReferenceAnimations.all.first { $0.description == name })
    }

    /// Processes a reference animation.
    private func process(
        _ reference: ReferenceAnimation, in fixture: ProcessorFixture, identifier: String = "id",
        _ change: (inout ProcessingSettings) -> Void = { _ in }
    ) async throws -> Manifest {
        let name = "\(identifier)-\(reference)"
        try FileManager.default.copyItem(
            at: URL(filePath: reference.path), to: fixture.url(name))
        return try await fixture.process(name, identifier: identifier, change).manifest
    }

    @Test("The published animation has the attachment's frames, also according to Pillow")
    func playsIdentically() async throws {
        try await ProcessorFixture.with { fixture in
            let references =
                ["film.webp", "sticker.webp", "late.webp"].compactMap { name in
                    ReferenceAnimations.all.first { $0.description == name }
                }
                + [.gif, .webp, .png].flatMap { ReferenceAnimations.all($0).prefix(10) }
            try #require(references.count == 33)
            var converted: [(path: String, reference: ReferenceAnimation)] = []
            for (number, reference) in references.enumerated() {
                let manifest = try await process(reference, in: fixture, identifier: "\(number)")
                let rendition = try #require(manifest.rendition(.attachment), "\(reference)")
                #expect(manifest.rung == "animated" && rendition.file.hasSuffix(".gif"))
                #expect(rendition.type == "com.compuserve.gif")
                #expect(rendition.frames == manifest.source.framesUsed)
                let size = PixelSize(width: reference.width, height: reference.height)
                #expect(rendition.size == size && manifest.rendition(.expanded)?.size == size)
                let time = Double(reference.delays.reduce(0, +)) / 1000
                #expect(abs((rendition.duration ?? 0) - time) <= 0.01, "\(reference)")
                #expect(rendition.loopCount == reference.plays, "\(reference)")
                let bytes = try fixture.bytes(.attachment, of: manifest)
                guard manifest.notes != ["the animation was kept as it was"] else {
                    // Unlike viewers, Pillow fills undrawn areas with the background colour.
                    #expect(try bytes == Data(contentsOf: URL(filePath: reference.path)))
                    continue
                }
                let path = fixture.url("\(number).gif").path
                try bytes.write(to: URL(filePath: path))
                converted.append((path, reference))
            }
            #expect(converted.count > 23, "some GIFs tell a story, or exceed their canvas")
            let played = try ReferenceAnimation.decoded(
                converted.map(\.path), into: fixture.folder.path)
            try #require(played.count == converted.count)
            for (played, (_, reference)) in zip(played, converted) {
                let differences = try played.differences(from: reference)
                #expect(differences.isEmpty, "\(reference): \(differences)")
            }
            #expect(try fixture.incoming.isEmpty)
        }
    }

    @Test("The stills show the most salient frame, not a blank beginning")
    func tellingFrame() async throws {
        try await ProcessorFixture.with { fixture in
            // Three nearly white frames, then a red ball on a colourful ground.
            let late = try reference("late.webp")
            let manifest = try await process(late, in: fixture)
            let expanded = try fixture.picture(.expanded, of: manifest)
            let ball = try #require(
                try late.pixels().suffix(120 * 90).firstIndex { $0 & 0xFF_FFFF == 0x3C28E6 })
            #expect(ball > 0)
            let levels = Set(try expanded.samples().map { $0 / 32 })
            #expect(levels.count > 4, "it is not blank")
            #expect(manifest.rendition(.banner)?.size == PixelSize(width: 90, height: 90))
            #expect(manifest.notes.isEmpty && manifest.contentSizeRatio == 0.75)
            let frames = try #require(manifest.rendition(.attachment)?.frames)
            let moment = try #require(manifest.thumbnailTime)
            #expect(moment > 0 && moment < Double(frames))
        }
    }

    @Test(
        "Readers get the animation with the still, or only the still if a frame exceeds their budget"
    )
    func reading() async throws {
        try await ProcessorFixture.with { fixture in
            let manifest = try await process(reference("film.webp"), in: fixture)
            let content = fixture.container.content(
                for: "id", on: Display(width: 440, scale: 3))
            #expect(content.picture?.role == .expanded)
            #expect(content.animation?.type == "com.compuserve.gif")
            #expect(content.animation?.size == PixelSize(width: 320, height: 240))
            let poor = fixture.container.content(
                for: "id", on: Display(width: 440, scale: 3, renderBudget: ByteCount(280_000)))
            #expect(poor.animation == nil && poor.picture?.role == .banner)
            let rendition = try #require(manifest.rendition(.attachment))
            #expect(rendition.decodedBytes == ByteCount(320 * 240 * 4 * 24))
            let json = String(decoding: try JSONEncoder().encode(manifest), as: UTF8.self)
            #expect(json.contains(#""frames":24"#) && json.contains(#""loopCount":0"#))
        }
    }

    @Test("A GIF within both budgets and without metadata is published byte for byte")
    func keptAsItIs() async throws {
        try await ProcessorFixture.with { fixture in
            let gif = try reference("6.gif")
            let plain = try await process(gif, in: fixture)
            let bytes = try Data(contentsOf: URL(filePath: gif.path))
            #expect(plain.notes == ["the animation was kept as it was"])
            #expect(try fixture.bytes(.attachment, of: plain) == bytes)
            // A comment before the trailer.
            let comment = Data([0x21, 0xFE, 5]) + Data("hello".utf8) + Data([0, 0x3B])
            try (bytes.dropLast() + comment).write(to: fixture.url("comment.gif"))
            let commented = try await fixture.process(
                "comment.gif", identifier: "comment"
            ).manifest
            #expect(!commented.notes.contains("the animation was kept as it was"))
            #expect(try !fixture.bytes(.attachment, of: commented).contains(Data("hello".utf8)))
        }
    }

    @Test("Every budget is kept, and each step of the ladder adds a note")
    func budgets() async throws {
        try await ProcessorFixture.with { fixture in
            let film = try reference("film.webp")
            let small = try await process(film, in: fixture, identifier: "small") {
                $0.animationRenderBudget = ByteCount(5_000_000)
            }
            let rendition = try #require(small.rendition(.attachment))
            #expect(rendition.decodedBytes.bytes <= 5_000_000 && rendition.frames == 24)
            #expect(small.notes.count == 1 && small.notes[0].contains("reduced from 320 × 240"))
            let short = try await process(film, in: fixture, identifier: "short") {
                $0.maximumBytes = ByteCount(150_000)
            }
            let shorter = try #require(short.rendition(.attachment))
            #expect(shorter.bytes.bytes <= 150_000)
            #expect(short.notes.contains { $0.contains("the file may have 150000 bytes") })
        }
    }

    @Test("If no animation fits the budgets, a still is published with the reason")
    func still() async throws {
        try await ProcessorFixture.with { fixture in
            let manifest = try await process(reference("film.webp"), in: fixture) {
                $0.animationRenderBudget = ByteCount(1000)
            }
            #expect(manifest.renditions.map(\.role) == [.expanded, .banner])
            #expect(manifest.source.frames == 24 && manifest.source.framesUsed == 1)
            let note = try #require(manifest.notes.first)
            #expect(note.hasPrefix("a still of frame ") && note.contains("1000 decoded bytes"))
            // A larger budget allows the animation.
            let moving = try await fixture.process("id-film.webp", identifier: "id").manifest
            #expect(moving.rendition(.attachment) != nil)
        }
    }

    @Test("Below the animated rung, and without scratch files, a still is published")
    func lowerRungs() async throws {
        try await ProcessorFixture.with { fixture in
            let film = try reference("film.webp")
            try FileManager.default.copyItem(
                at: URL(filePath: film.path), to: fixture.url("film.webp"))
            let processor = try fixture.processor()
            let done = try await processor.process(
                AttachmentRequest(
                    path: fixture.url("film.webp").path, identifier: "id", below: .animated))
            #expect(done.manifest.rung == "file-backed")
            #expect(done.manifest.notes.first?.contains("memory or time") == true)
            #expect(done.manifest.rendition(.attachment) == nil)
            // With every rung it is processed again, as an animation.
            let moving = try await processor.process(
                fixture.url("film.webp").path, identifier: "id")
            #expect(moving.work == .made && moving.manifest.rendition(.attachment) != nil)
            let withoutScratch = try await fixture.process(
                "film.webp", identifier: "without-scratch"
            ) {
                $0.maximumScratchBytes = ByteCount(0)
                $0.quality = 79
            }
            #expect(withoutScratch.manifest.notes == ["first frame of 24"])
        }
    }

    @Test("Each limit has its own error, which names the limit")
    func limits() async throws {
        try await ProcessorFixture.with { fixture in
            let film = try reference("film.webp")
            try FileManager.default.copyItem(
                at: URL(filePath: film.path), to: fixture.url("film.webp"))
            let limits: [(AttachmentError.Code, String, (inout AnimationLimits) -> Void)] = [
                (.tooManyFrames, "limit on frames", { $0.frames = 23 }),
                (.tooLong, "limit on its duration", { $0.seconds = 1.1 }),
                (.canvas, "limits on its canvas", { $0.pixels = 320 * 240 - 1 }),
                (.canvas, "on all its frames", { $0.drawnPixels = 24 * 320 * 240 - 1 }),
            ]
            for (code, name, limit) in limits {
                let error = try await fixture.refuse("film.webp") { limit(&$0.animationLimits) }
                #expect(error?.code == code)
                #expect(error?.description.contains(name) == true)
            }
            #expect(try fixture.incoming.isEmpty)
        }
    }
}
