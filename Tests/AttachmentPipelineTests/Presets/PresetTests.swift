import AnimationReference
import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import SampleMedia
import Testing

@Suite("Presets", .timeLimit(.minutes(2))) struct PresetTests {
    /// A preset, and the rendition that it makes of 1600 × 1200 pixels.
    struct Example: CustomTestStringConvertible, Sendable {
        let preset: Preset
        let size: PixelSize
        let isCropped: Bool
        var notes: [String] = []

        var testDescription: String { preset.rawValue }

        init(
            _ preset: Preset, _ width: Int, _ height: Int, isCropped: Bool, notes: [String] = []
        ) {
            self.preset = preset
            size = PixelSize(width: width, height: height)
            self.isCropped = isCropped
            self.notes = notes
        }

        static let all = [
            Example(.banner, 264, 264, isCropped: true),
            Example(.avatar, 180, 180, isCropped: true),
            Example(.liveActivity, 640, 480, isCropped: false),
            Example(
                .widget, 978, 734, isCropped: false,
                notes: ["widget: reduced to 978x734 for the surface's 718080 pixels"]),
            Example(.androidBigPicture, 1350, 675, isCropped: true),
            Example(.androidLargeIcon, 256, 256, isCropped: true),
            Example(
                .webPush, 1600, 800, isCropped: true,
                notes: [
                    "web-push: 1600x800, because the attachment is smaller than the surface's "
                        + "1800x900"
                ]),
        ]
    }

    private static let engines = ProcessingSettings.EngineChoice.allCases

    private func write(
        _ name: String, in fixture: ProcessorFixture, alpha: ((Int, Int) -> UInt8)? = nil
    ) throws -> VipsImage {
        let picture = try VipsFixture.gradient(PixelSize(width: 400, height: 300), alpha: alpha)
            .applying("resize", ["scale": .double(4)])
        try picture.write(
            to: fixture.url(name),
            with: name.hasSuffix("png") ? "pngsave_target" : "jpegsave_target")
        return picture
    }

    /// The part that a rendition shows, at its size.
    private func shown(
        _ rendition: Manifest.Rendition, of picture: VipsImage
    ) throws -> VipsImage {
        let (width, height) = (Double(picture.size.width), Double(picture.size.height))
        var part = picture
        if let crop = rendition.crop {
            part = try picture.applying(
                "extract_area",
                [
                    "left": .int(Int((crop.x * width).rounded())),
                    "top": .int(Int((crop.y * height).rounded())),
                    "width": .int(Int((crop.width * width).rounded())),
                    "height": .int(Int((crop.height * height).rounded())),
                ], input: "input")
        }
        return try part.applying(
            "resize",
            [
                "scale": .double(Double(rendition.size.width) / Double(part.size.width)),
                "vscale": .double(Double(rendition.size.height) / Double(part.size.height)),
            ])
    }

    @Test(
        "A preset alone makes its own rendition, with either engine", arguments: Example.all,
        engines)
    func alone(example: Example, engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try write("in.jpg", in: fixture)
            let done = try await fixture.process("in.jpg") {
                $0.presets = [example.preset]
                $0.engine = engine
            }
            let manifest = done.manifest
            #expect(manifest.renditions.map(\.role) == [example.preset.role])
            let rendition = try #require(manifest.renditions.first)
            #expect(rendition.size == example.size && rendition.type == "public.jpeg")
            #expect((rendition.crop != nil) == example.isCropped)
            #expect(manifest.notes == example.notes)
            #expect(manifest.attachment == rendition && manifest.published == [rendition])
            #expect(manifest.contentSizeRatio == 0)
            let made = try fixture.picture(example.preset.role, of: manifest)
            #expect(made.size == example.size)
            #expect(try made.meanDifference(from: shown(rendition, of: picture)) < 4)
            #expect(try fixture.incoming.isEmpty)
        }
    }

    @Test("Content alone is the default, byte for byte", arguments: engines)
    func content(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            _ = try write("in.jpg", in: fixture)
            let standard = try await fixture.process("in.jpg") { $0.engine = engine }
            let named = try await fixture.process("in.jpg") {
                $0.presets = [.content, .banner]
                $0.engine = engine
            }
            #expect(named.work == .unchanged && named.manifest == standard.manifest)
            #expect(standard.manifest.published.map(\.role) == [.expanded])
            // A smaller surface leaves the bytes of the expanded rendition and the banner.
            let more = try await fixture.process("in.jpg", identifier: "more") {
                $0.presets = [.content, .avatar, .liveActivity]
                $0.engine = engine
            }
            #expect(more.work == .made)
            let roles: [RenditionRole] = [.expanded, .banner, .avatar, .liveActivity]
            #expect(more.manifest.renditions.map(\.role) == roles)
            for role in [RenditionRole.expanded, .banner] {
                let own = try #require(standard.manifest.rendition(role))
                #expect(own.sha256 == more.manifest.rendition(role)?.sha256, "\(role.rawValue)")
            }
            #expect(
                more.manifest.published.map(\.role)
                    == [.expanded, .banner, .avatar, .liveActivity])
        }
    }

    @Test("All presets come from one decoding", arguments: engines)
    func all(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try write("in.jpg", in: fixture)
            var settings = ProcessorFixture.settings
            settings.presets = PresetSelection(Preset.allCases)
            settings.engine = engine
            let decodings = Counter()
            var processor = try fixture.processor(settings)
            processor.willDecode = { _, _ in decodings.count() }
            let done = try await processor.process(
                fixture.url("in.jpg").path, identifier: "id")
            #expect(decodings.value == 1)
            #expect(done.manifest.renditions.map(\.role) == settings.presets.roles)
            for example in Example.all where example.preset != .banner {
                let rendition = try #require(done.manifest.rendition(example.preset.role))
                #expect(rendition.size == example.size)
                let made = try fixture.picture(example.preset.role, of: done.manifest)
                #expect(try made.meanDifference(from: shown(rendition, of: picture)) < 4)
            }
            #expect(done.manifest.rendition(.expanded)?.size == PixelSize(width: 1320, height: 990))
            let again = try await processor.process(fixture.url("in.jpg").path, identifier: "2")
            #expect(again.work == .reused)
        }
    }

    @Test("A request may name presets in place of those of the settings")
    func request() async throws {
        try await ProcessorFixture.with { fixture in
            _ = try write("in.jpg", in: fixture)
            let processor = try fixture.processor()
            var request = AttachmentRequest(path: fixture.url("in.jpg").path, identifier: "id")
            request.presets = [.androidLargeIcon]
            let icon = try await processor.process(request)
            #expect(icon.manifest.renditions.map(\.role) == [.androidLargeIcon])
            request.presets = nil
            let content = try await processor.process(request)
            #expect(content.work == .made && content.manifest.rendition(.expanded) != nil)
            #expect(icon.manifest.settings != content.manifest.settings)
        }
    }

    @Test("Only the alpha of the part that a preset shows counts", arguments: engines)
    func alpha(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let translucent = try write("in.png", in: fixture) { _, _ in 128 }
            let manifest = try await fixture.process("in.png") {
                $0.presets = [.avatar, .liveActivity]
                $0.engine = engine
            }.manifest
            for role in [RenditionRole.avatar, .liveActivity] {
                let rendition = try #require(manifest.rendition(role))
                #expect(rendition.type == "public.png")
                let made = try fixture.picture(role, of: manifest)
                #expect(made.hasAlpha)
                #expect(try made.meanDifference(from: shown(rendition, of: translucent)) < 4)
            }
            _ = try write("opaque.png", in: fixture) { _, _ in 255 }
            let opaque = try await fixture.process("opaque.png", identifier: "opaque") {
                $0.presets = [.avatar]
                $0.engine = engine
            }.manifest
            #expect(opaque.rendition(.avatar)?.type == "public.jpeg")
        }
    }

    @Test("A kept file is decoded for the other presets only", arguments: engines)
    func kept(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 400, height: 300)).write(
                to: fixture.url("in.jpg"), with: "jpegsave_target", ["strip": .bool(true)])
            let manifest = try await fixture.process("in.jpg") {
                $0.presets = [.content, .avatar, .androidBigPicture]
                $0.engine = engine
            }.manifest
            #expect(
                try fixture.bytes(.expanded, of: manifest)
                    == Data(contentsOf: fixture.url("in.jpg")))
            #expect(manifest.rendition(.avatar)?.size == PixelSize(width: 180, height: 180))
            #expect(
                manifest.rendition(.androidBigPicture)?.size == PixelSize(width: 400, height: 200))
            #expect(manifest.notes.contains("kept as it was"))
        }
    }

    @Test("The byte ceiling holds for every rendition, and the notes name the preset")
    func ceiling() async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: 640, height: 480)
            let samples = (0..<size.pixelCount).map {
                UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13)
            }
            try VipsImage.from(samples: samples, size: size, bands: 1)
                .write(to: fixture.url("in.png"), with: "pngsave_target")
            for engine in Self.engines {
                let manifest = try await fixture.process("in.png", identifier: engine.rawValue) {
                    $0.presets = [.content, .avatar, .webPush]
                    $0.maximumBytes = ByteCount(20_000)
                    $0.engine = engine
                }.manifest
                #expect(manifest.renditions.allSatisfy { $0.bytes <= ByteCount(20_000) })
                let notes = manifest.notes.filter { $0.hasPrefix("web-push: ") }
                #expect(notes.contains { $0.hasSuffix("for the byte ceiling") }, "\(notes)")
                let error = try await fixture.refuse("in.png") {
                    $0.presets = [.avatar]
                    $0.maximumBytes = ByteCount(200)
                    $0.engine = engine
                }
                #expect(error?.code == .doesNotFit)
                #expect(error?.reason.contains("rendition avatar") == true)
            }
        }
    }

    @Test("An animation gets a still for each surface, and a GIF only with content")
    func animation() async throws {
        let reference = try #require(
            ReferenceAnimations.all.first { $0.description == "film.webp" })
        try await ProcessorFixture.with { fixture in
            let file = fixture.url("film.webp")
            try FileManager.default.copyItem(at: URL(filePath: reference.path), to: file)
            let moving = try await fixture.process("film.webp") {
                $0.presets = [.content, .avatar]
            }.manifest
            #expect(
                moving.renditions.map(\.role) == [.attachment, .expanded, .banner, .avatar])
            #expect(moving.notes.contains("avatar: a still of the animation"))
            #expect(moving.rendition(.avatar)?.frames == nil)
            let still = try await fixture.process("film.webp", identifier: "still") {
                $0.presets = [.avatar]
            }
            #expect(still.manifest.renditions.map(\.role) == [.avatar])
            #expect(still.manifest.notes.contains { $0.hasSuffix("the presets show stills") })
            let again = try await fixture.process("film.webp", identifier: "again") {
                $0.presets = [.avatar]
            }
            #expect(again.work == .reused)
        }
    }

    @Test("Sound and movies are passed through whatever the presets")
    func media() async throws {
        try await ProcessorFixture.with { fixture in
            try SampleMedia.wav(seconds: 1).write(to: fixture.url("a.wav"))
            let sound = try await fixture.process("a.wav") { $0.presets = [.avatar, .webPush] }
            #expect(sound.manifest.renditions.map(\.role) == [.media])
        }
    }

    @Test("A manifest for other surfaces verifies, and shows a content extension nothing")
    func container() async throws {
        try await ProcessorFixture.with { fixture in
            _ = try write("in.jpg", in: fixture)
            _ = try await fixture.process("in.jpg") { $0.presets = [.avatar, .webPush] }
            let content = fixture.container.content(for: "id", on: Display(width: 440, scale: 3))
            #expect(content.picture == nil && content.absence == .noPicture)
            var findings = 0
            let totals = fixture.container.verify { if case .finding = $0 { findings += 1 } }
            #expect(findings == 0 && totals.renditions == 2)
            _ = try fixture.container.prune(PruningPolicy())
            #expect(try fixture.container.manifest(for: "id")?.renditions.count == 2)
        }
    }
}

/// Counts calls of other threads.
private final class Counter: Sendable {
    private let calls = Lock(0)

    var value: Int { calls.withLock { $0 } }

    func count() { calls.withLock { $0 += 1 } }
}
