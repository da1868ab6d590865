import AttachmentContainer
import AttachmentImageIO
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning
import Foundation
import Testing

@Suite("Presets of the system's engine", .timeLimit(.minutes(5)))
struct SystemEnginePresetTests {
    private static let all = PresetSelection(Preset.allCases)
    private static let sources = [
        (3000, 2000), (2000, 3000), (6000, 400), (400, 6000), (1000, 1000), (300, 200), (91, 61),
    ].map { PixelSize(width: $0.0, height: $0.1) }

    @Test(
        "Each preset alone, and all from one decoding, keep to their room in pixels and bytes",
        arguments: sources, [10_000_000, 100_000])
    func room(source: PixelSize, ceiling: Int) async throws {
        try await EngineFixture.with { fixture in
            var fixture = fixture
            fixture.settings.maximumBytes = ByteCount(ceiling)
            let path = try fixture.file(SampleFile.jpeg(source, length: 500_000))
            for selection in Preset.allCases.map({ [$0] as PresetSelection }) + [Self.all] {
                fixture.settings.presets = selection
                // A web notification's file takes 1.9 MB at quality 80.
                let decoder = ScriptedDecoder(ScriptedPicture(size: .zero, density: 1.5))
                let done = try await fixture.processor(decoder).process(
                    path, identifier: "\(selection)")
                #expect(decoder.requests.count == 1)
                #expect(done.manifest.renditions.map(\.role) == selection.roles)
                for rendition in done.manifest.renditions {
                    let limit = fixture.settings.maximumBytes(of: rendition.role)
                    #expect(rendition.bytes <= limit, "\(rendition.role.rawValue)")
                    expectRoom(rendition, of: source)
                }
            }
        }
    }

    private func expectRoom(_ rendition: Manifest.Rendition, of source: PixelSize) {
        let (size, name) = (rendition.size, Comment("\(rendition.role.rawValue) of \(source)"))
        #expect(size.width <= source.width && size.height <= source.height, name)
        guard let surface = Preset.allCases.first(where: { $0.role == rendition.role })?.surface
        else { return }
        #expect(size.width <= surface.size.width && size.height <= surface.size.height, name)
        #expect(size.pixelCount <= surface.maximumPixels, name)
        let ratio =
            surface.isFilled ? surface.size.heightToWidthRatio : source.heightToWidthRatio
        // Both sides are rounded.
        #expect(abs(Double(size.height) - ratio * Double(size.width)) <= 1 + ratio, name)
        #expect((rendition.crop != nil) == isCropped(source, to: surface), name)
        guard let crop = rendition.crop else { return }
        // As large as the picture allows, to a pixel of the decoded one.
        let pixel = 2 / Double(max(1, min(size.width, size.height)))
        #expect(max(crop.width, crop.height) > 1 - pixel, name)
        let part = source.heightToWidthRatio * crop.height / crop.width
        #expect(abs(part / ratio - 1) <= 3 * pixel, name)
    }

    private func isCropped(_ source: PixelSize, to surface: Surface) -> Bool {
        surface.isFilled && source.heightToWidthRatio != surface.size.heightToWidthRatio
    }

    @Test("The crop of the content extension's rendition is not that of the others")
    func crops() async throws {
        try await EngineFixture.with { fixture in
            var fixture = fixture
            fixture.settings.presets = Self.all
            let path = try fixture.file(
                SampleFile.jpeg(PixelSize(width: 3000, height: 2000), length: 500_000))
            for ratio in [0.25, 1, 2] {
                fixture.settings.cropRatio = ratio
                let done = try await fixture.processor(ScriptedDecoder()).process(
                    path, identifier: "\(ratio)")
                let wide = try #require(fixture.rendition(.webPush, of: done)?.crop)
                let square = try #require(fixture.rendition(.avatar, of: done)?.crop)
                #expect(wide.width == 1 && abs(wide.height - 0.75) < 0.01)
                #expect(square.height == 1 && abs(square.width - 2 / 3.0) < 0.02)
                let expanded = try #require(fixture.rendition(.expanded, of: done))
                #expect(abs(expanded.size.heightToWidthRatio - ratio) < 0.01)
                #expect(fixture.rendition(.widget, of: done)?.crop == nil)
            }
        }
    }

    @Test("A kept file has the renditions of other presets beside it, from one decoding")
    func kept() async throws {
        try await EngineFixture.with { fixture in
            var fixture = fixture
            fixture.settings.presets = Self.all
            let decoder = ScriptedDecoder()
            let bytes = SampleFile.jpeg(PixelSize(width: 600, height: 400), length: 20_000)
            let done = try await fixture.processor(decoder).process(
                try fixture.file(bytes), identifier: "a")
            #expect(done.manifest.notes.contains("kept as it was"))
            #expect(fixture.rendition(.expanded, of: done)?.bytes.bytes == bytes.count)
            #expect(decoder.requests.count == 1)
            for (role, width, height) in [
                (.avatar, 180, 180), (.androidLargeIcon, 256, 256), (.webPush, 600, 300),
                (.widget, 600, 400),
            ] as [(RenditionRole, Int, Int)] {
                let size = PixelSize(width: width, height: height)
                #expect(fixture.rendition(role, of: done)?.size == size, "\(role.rawValue)")
            }
        }
    }

    /// A decoder whose pictures of 1800 × 900 pixels, the last preset's size, cannot be encoded.
    private func decoder(
        _ fault: @escaping @Sendable () throws(SystemFault) -> Void
    ) -> ScriptedDecoder {
        var picture = ScriptedPicture(size: .zero)
        picture.willEncode = { (size: PixelSize) throws(SystemFault) in
            if size.width == 2 * size.height { try fault() }
        }
        return ScriptedDecoder(picture)
    }

    private static let presets = PresetSelection(
        Preset.allCases.filter { $0 != .androidBigPicture })

    @Test(
        "Without the last rendition nothing is published, and an earlier notification stays",
        arguments: [
            (.damaged, .corrupt), (.unknownFormat, .unsupported), (.service, .unsupported),
            (.memory, .overCap),
        ] as [(SystemFault.Code, AttachmentError.Code)])
    func failures(fault: SystemFault.Code, code: AttachmentError.Code) async throws {
        try await EngineFixture.with { fixture in
            var fixture = fixture
            fixture.settings.presets = Self.presets
            let path = try fixture.file(
                SampleFile.jpeg(PixelSize(width: 3000, height: 2000), length: 500_000))
            let failing = decoder { () throws(SystemFault) in
                throw SystemFault(fault, "the encoder is told to fail")
            }
            let processor = try fixture.processor(failing)
            let error = await #expect(throws: AttachmentError.self) {
                _ = try await processor.process(path, identifier: "a")
            }
            #expect(error?.code == code && error?.file == path)
            #expect(error?.reason.isEmpty == false)
            #expect(try fixture.container.manifest(for: "a") == nil)
            #expect(try fixture.files.isEmpty)

            fixture.settings.presets = [.content]
            let first = try await fixture.processor(failing).process(path, identifier: "a")
            let files = try fixture.files
            await #expect(throws: AttachmentError.self) {
                _ = try await processor.process(path, identifier: "a")
            }
            #expect(try fixture.container.manifest(for: "a") == first.manifest)
            #expect(try fixture.files == files)
        }
    }

    @Test("Cancellation while the last rendition is encoded leaves nothing")
    func cancellation() async throws {
        try await EngineFixture.with { fixture in
            var fixture = fixture
            fixture.settings.presets = Self.presets
            let path = try fixture.file(
                SampleFile.jpeg(PixelSize(width: 3000, height: 2000), length: 500_000))
            let running = Lock<Task<ProcessedAttachment, any Error>?>(nil)
            let started = Lock(false)
            let processor = try fixture.processor(
                decoder {
                    started.withLock { $0 = true }
                    while running.withLock({ $0 }) == nil { usleep(100) }
                    running.withLock { $0?.cancel() }
                })
            let task = Task { try await processor.process(path, identifier: "a") }
            running.withLock { $0 = task }
            let error = await #expect(throws: AttachmentError.self) { try await task.value }
            #expect(error?.code == .cancelled && started.withLock { $0 })
            #expect(try fixture.files.isEmpty)
        }
    }
}
