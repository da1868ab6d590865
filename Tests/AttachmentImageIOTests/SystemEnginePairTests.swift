import AttachmentContainer
import AttachmentModel
import AttachmentPlanning
import Foundation
import Randomness
import Testing

@Suite("Pairs of settings and formats of the system's engine", .timeLimit(.minutes(10)))
struct SystemEnginePairTests {
    /// One value of every factor.
    struct Choice: CustomTestStringConvertible, Sendable {
        let row: [Int]

        static let sources = [
            "large JPEG", "small JPEG", "progressive", "PNG", "PNG with alpha", "GIF", "animation",
        ]
        static let ratios: [Double?] = [nil, 0.5, 1, 2]
        static let ceilings = [400_000, 40_000, 10_000_000]

        static let all = Pairwise(
            [sources.count, 2, ratios.count, 3, ceilings.count, 2, 2, 2], seed: 1818
        ).rows.map(Choice.init)

        var source: Int { row[0] }
        var isTransparent: Bool { source == 4 && row[7] == 0 }

        var settings: ProcessingSettings {
            var settings = ProcessingSettings()
            settings.cap = MemoryCap(.mebibytes(4096))
            settings.maximumScratchBytes = ByteCount(0)
            settings.width = [200, 440][row[1]]
            settings.cropRatio = Self.ratios[row[2]]
            settings.quality = [40, 80, 100][row[3]]
            settings.maximumBytes = ByteCount(Self.ceilings[row[4]])
            settings.bannerSide = [32, 88][row[5]]
            settings.colourSpace = [.sRGB, .displayP3][row[6]]
            return settings
        }

        var size: PixelSize {
            switch source {
            case 0, 2: PixelSize(width: 4032, height: 3024)
            case 1, 5, 6: PixelSize(width: 320, height: 480)
            default: PixelSize(width: 1500, height: 900)
            }
        }

        var file: Data {
            switch source {
            case 0, 1: SampleFile.jpeg(size, length: 30_000)
            case 2: SampleFile.jpeg(size, isProgressive: true, length: 30_000)
            case 3: SampleFile.png(size, hasAlpha: false)
            case 4: SampleFile.png(size, hasAlpha: true)
            case 5: SampleFile.gif(size, frames: 1)
            default: SampleFile.gif(size, frames: 2)
            }
        }

        var sourceType: RenditionType { source > 4 ? .gif : source > 2 ? .png : .jpeg }

        var testDescription: String { "\(Self.sources[source]) \(row.dropFirst())" }
    }

    @Test("Renditions have the planned sizes, types and lengths", arguments: Choice.all)
    func combine(choice: Choice) async throws {
        try await EngineFixture.with { fixture in
            var fixture = fixture
            fixture.settings = choice.settings
            let decoder = ScriptedDecoder(
                ScriptedPicture(size: .zero, isOpaque: !choice.isTransparent, density: 0.4))
            let settings = choice.settings
            let done = try await fixture.processor(decoder).process(
                try fixture.file(choice.file), identifier: "pair")
            let manifest = done.manifest
            #expect(manifest.engine == "imageio")
            let expanded = try #require(fixture.rendition(.expanded, of: done))
            let banner = try #require(fixture.rendition(.banner, of: done))
            let planned = Planner(settings: settings).expandedSize(of: choice.size)
            let isReduced = manifest.notes.contains { $0.contains(" at ") }
            if !isReduced { #expect(expanded.size == planned) }
            #expect(expanded.size.width <= planned.width)
            for rendition in [expanded, banner] {
                #expect(rendition.bytes <= settings.maximumBytes)
            }
            let isKept = manifest.notes.contains("kept as it was")
            #expect(
                expanded.type
                    == (isKept ? choice.sourceType : choice.isTransparent ? .png : .jpeg).rawValue)
            #expect(banner.size.width == banner.size.height)
            #expect(banner.size.width <= settings.bannerSideInPixels)
            let isCropped = planned.heightToWidthRatio != choice.size.heightToWidthRatio
            if settings.cropRatio == nil { #expect(expanded.crop == nil) }
            if expanded.crop != nil { #expect(isCropped) }
            #expect(manifest.notes.contains("first frame of 2") == (choice.source == 6))
            #expect(try fixture.container.manifest(for: "pair") == manifest)
        }
    }

    @Test("There are rows for every pair")
    func rows() { #expect(Choice.all.count >= Choice.sources.count * Choice.ratios.count) }
}
