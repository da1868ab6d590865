import AttachmentContainer
import AttachmentImageIO
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning
import Foundation
import Testing

@Suite("The system's engine", .timeLimit(.minutes(5)))
struct SystemEngineTests {
    private let photo = PixelSize(width: 3000, height: 2000)

    @Test("A photograph becomes an expanded rendition, a banner, a placeholder and a manifest")
    func renditions() async throws {
        try await EngineFixture.with { fixture in
            let decoder = ScriptedDecoder()
            let path = try fixture.file(SampleFile.jpeg(photo, length: 500_000))
            let done = try await fixture.processor(decoder).process(
                path, identifier: "a", category: "photo")
            let manifest = done.manifest
            #expect(manifest.engine == "imageio" && manifest.rung == "streamed")
            #expect(manifest.identifier == "a" && manifest.category == "photo")
            #expect(manifest.source.size == photo && manifest.source.format == "jpeg")
            let expanded = try #require(fixture.rendition(.expanded, of: done))
            #expect(expanded.size == PixelSize(width: 1320, height: 880))
            #expect(expanded.type == RenditionType.jpeg.rawValue)
            let banner = try #require(fixture.rendition(.banner, of: done))
            #expect(banner.size == PixelSize(width: 264, height: 264))
            #expect(decoder.requests.map(\.source) == [.picture(subsampling: 1)])
            #expect(decoder.requests.map(\.size) == [expanded.size])
            // Half red, half blue.
            #expect(abs(Int(manifest.averageColour.red) - 127) < 4)
            #expect(manifest.averageColour.green == 0)
            #expect(manifest.notes.isEmpty)
            let stored = try fixture.container.manifest(for: "a")
            #expect(stored == manifest)
        }
    }

    @Test("Linear light is refused by name, because ImageIO averages coded samples")
    func linearLight() throws {
        var settings = ProcessingSettings()
        try SystemEngine<ScriptedDecoder>.check(settings)
        settings.isLinear = true
        let error = #expect(throws: SettingsError.self) {
            try SystemEngine<ScriptedDecoder>.check(settings)
        }
        #expect(error?.field == "isLinear")
    }

    @Test("The same bytes and settings are not decoded again")
    func reuse() async throws {
        try await EngineFixture.with { fixture in
            let decoder = ScriptedDecoder()
            let processor = try fixture.processor(decoder)
            let path = try fixture.file(SampleFile.jpeg(photo, length: 500_000))
            _ = try await processor.process(path, identifier: "a")
            let again = try await processor.process(path, identifier: "b")
            #expect(again.work == .reused && decoder.requests.count == 1)
        }
    }

    @Test("Quality falls until the file is under the byte ceiling, then size")
    func byteCeiling() async throws {
        try await EngineFixture.with { fixture in
            var fixture = fixture
            let path = try fixture.file(SampleFile.jpeg(photo, length: 500_000))
            // 1320 × 880 at one byte a pixel and quality 100: 929,280 bytes at quality 80.
            let decoder = ScriptedDecoder(ScriptedPicture(size: .zero, density: 1))
            for (ceiling, note, size) in [
                (1_000_000, nil, 1320), (700_000, "quality 60 for the byte ceiling", 1320),
                (300_000, "quality 40 at 1056x704 for the byte ceiling", 1056),
            ] as [(Int, String?, Int)] {
                fixture.settings.maximumBytes = ByteCount(ceiling)
                let done = try await fixture.processor(decoder).process(
                    path, identifier: "\(ceiling)")
                let expanded = try #require(fixture.rendition(.expanded, of: done))
                #expect(expanded.bytes.bytes <= ceiling && expanded.size.width == size)
                #expect(done.manifest.notes == (note.map { [$0] } ?? []))
            }
            fixture.settings.maximumBytes = ByteCount(900)
            let processor = try fixture.processor(decoder)
            let error = await #expect(throws: AttachmentError.self) {
                _ = try await processor.process(path, identifier: "none")
            }
            #expect(error?.code == .doesNotFit)
        }
    }

    @Test("A transparent picture becomes a PNG, which has no palette and only gets smaller")
    func transparent() async throws {
        try await EngineFixture.with { fixture in
            var fixture = fixture
            fixture.settings.maximumBytes = ByteCount(700_000)
            let decoder = ScriptedDecoder(
                ScriptedPicture(size: .zero, isOpaque: false, density: 1))
            let path = try fixture.file(
                SampleFile.png(
                    PixelSize(width: 2640, height: 1760), hasAlpha: true, length: 1_000_000))
            let done = try await fixture.processor(decoder).process(path, identifier: "a")
            let expanded = try #require(fixture.rendition(.expanded, of: done))
            #expect(expanded.type == RenditionType.png.rawValue && expanded.size.width == 844)
            #expect(done.manifest.notes == ["reduced at 844x563 for the byte ceiling"])
        }
    }

    @Test("A picture over the budget is decoded out of process, and below that where it fails")
    func outOfProcess() async throws {
        try await EngineFixture.with { fixture in
            var fixture = fixture
            let path = try fixture.file(
                SampleFile.jpeg(PixelSize(width: 9000, height: 6000), isProgressive: true))
            let footprint = try #require(Footprint.current())
            // 162 MB of coefficients; a quarter of the pixels do not change them.
            fixture.settings.cap = MemoryCap(ByteCount(footprint.bytes + 100_000_000))
            let working = ScriptedDecoder()
            let done = try await fixture.processor(working).process(path, identifier: "a")
            #expect(working.requests.map(\.source) == [.service])
            #expect(done.manifest.rung == "out-of-process")
            #expect(
                done.manifest.notes
                    == ["decoded by the system in another process, for the memory cap"])

            let failing = ScriptedDecoder(failing: [.service])
            let other = try fixture.file(
                SampleFile.jpeg(PixelSize(width: 9000, height: 6001), isProgressive: true), "b")
            let processor = try fixture.processor(failing)
            let error = await #expect(throws: AttachmentError.self) {
                _ = try await processor.process(other, identifier: "b")
            }
            // Every lower rung holds the coefficients too, and the file has no preview.
            #expect(error?.code == .overCap)
            #expect(failing.requests.map(\.source) == [.service])
        }
    }

    @Test("A file that is ready for display is kept, and decoded at the banner's size")
    func kept() async throws {
        try await EngineFixture.with { fixture in
            let decoder = ScriptedDecoder()
            let bytes = SampleFile.jpeg(PixelSize(width: 600, height: 400), length: 20_000)
            let done = try await fixture.processor(decoder).process(
                try fixture.file(bytes), identifier: "a")
            let expanded = try #require(fixture.rendition(.expanded, of: done))
            #expect(expanded.bytes.bytes == bytes.count)
            #expect(done.manifest.notes == ["kept as it was"])
            #expect(decoder.requests.map(\.size) == [PixelSize(width: 396, height: 264)])
        }
    }

    @Test("Of an animation the first frame is shown, and the manifest says so")
    func animation() async throws {
        try await EngineFixture.with { fixture in
            let path = try fixture.file(
                SampleFile.gif(PixelSize(width: 400, height: 300), frames: 3))
            let done = try await fixture.processor(ScriptedDecoder()).process(
                path, identifier: "a")
            #expect(done.manifest.renditions.map(\.role) == [.expanded, .banner])
            #expect(done.manifest.notes == ["first frame of 3"])
            #expect(done.manifest.source.framesUsed == 1)
        }
    }

    @Test("Presets are made from one decoding, with or without the content extension's renditions")
    func presets() async throws {
        try await EngineFixture.with { fixture in
            var fixture = fixture
            let path = try fixture.file(SampleFile.jpeg(photo, length: 500_000))
            fixture.settings.presets = PresetSelection(Preset.allCases)
            let decoder = ScriptedDecoder()
            let all = try await fixture.processor(decoder).process(path, identifier: "all")
            #expect(decoder.requests.count == 1)
            #expect(Set(all.manifest.renditions.map(\.role)) == Set(Preset.allCases.map(\.role)))
            for (preset, size) in [
                (.avatar, PixelSize(width: 180, height: 180)),
                (.androidLargeIcon, PixelSize(width: 256, height: 256)),
                (.androidBigPicture, PixelSize(width: 1350, height: 675)),
            ] as [(Preset, PixelSize)] {
                #expect(fixture.rendition(preset.role, of: all)?.size == size)
            }
            let widget = try #require(fixture.rendition(.widget, of: all))
            #expect(widget.size.pixelCount <= 718_080)

            fixture.settings.presets = [.avatar]
            let one = try await fixture.processor(decoder).process(path, identifier: "one")
            #expect(one.manifest.renditions.map(\.role) == [.avatar])
        }
    }

    @Test("A deadline that has passed stops before decoding")
    func overdue() async throws {
        try await EngineFixture.with { fixture in
            let decoder = ScriptedDecoder()
            let path = try fixture.file(SampleFile.jpeg(photo, length: 500_000))
            let processor = try fixture.processor(decoder)
            let request = AttachmentRequest(path: path, identifier: "a", deadline: .now)
            let error = await #expect(throws: AttachmentError.self) {
                _ = try await processor.process(request)
            }
            #expect(error?.code == .late && decoder.requests.isEmpty)
        }
    }
}
