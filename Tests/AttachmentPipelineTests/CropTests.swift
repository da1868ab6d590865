import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import AttachmentPlanning
import Foundation
import SampleMedia
import Testing

@Suite("Cropping to a ratio", .timeLimit(.minutes(2)))
struct CropTests {
    /// A uniform grey picture with a checked red patch, which draws attention.
    private func picture(
        _ size: PixelSize, patch: UnitRectangle, alpha: ((Int, Int) -> UInt8)? = nil
    ) throws -> VipsImage {
        let left = patch.x * Double(size.width)
        let top = patch.y * Double(size.height)
        let columns = left..<left + patch.width * Double(size.width)
        let rows = top..<top + patch.height * Double(size.height)
        let samples = (0..<size.pixelCount).flatMap { pixel -> [UInt8] in
            let (x, y) = (pixel % size.width, pixel / size.width)
            let isPatch = columns.contains(Double(x)) && rows.contains(Double(y))
            let colour: [UInt8] =
                !isPatch
                ? [128, 128, 128] : (x / 32 + y / 32) % 2 == 0 ? [220, 30, 30] : [250, 240, 230]
            return colour + (alpha.map { [$0(x, y)] } ?? [])
        }
        return try VipsImage.from(samples: samples, size: size, bands: alpha == nil ? 3 : 4)
            .applying("copy", ["interpretation": .name("srgb")])
    }

    private func part(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double
    ) throws -> UnitRectangle {
        try #require(UnitRectangle(x: x, y: y, width: width, height: height))
    }

    /// The part of a picture that the expanded rendition shows according to the manifest.
    private func shown(_ manifest: Manifest, of picture: VipsImage) throws -> VipsImage {
        let part = try #require(manifest.rendition(.expanded)?.crop)
        let (width, height) = (Double(picture.size.width), Double(picture.size.height))
        return try picture.applying(
            "extract_area",
            [
                "left": .int(Int((part.x * width).rounded())),
                "top": .int(Int((part.y * height).rounded())),
                "width": .int(Int((part.width * width).rounded())),
                "height": .int(Int((part.height * height).rounded())),
            ], input: "input")
    }

    @Test(
        "The crop keeps the salient part, wherever it is",
        arguments: [
            (800, 200, 0.02, 0.3), (800, 200, 0.9, 0.3), (200, 800, 0.3, 0.02),
            (200, 800, 0.3, 0.9),
        ])
    func subject(width: Int, height: Int, x: Double, y: Double) async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: width, height: height)
            let patch = try part(x, y, width > height ? 0.08 : 0.4, width > height ? 0.4 : 0.08)
            let original = try picture(size, patch: patch)
            for (name, saver) in [
                ("in.png", "pngsave_target"), ("in.jpg", "jpegsave_target"),
                ("in.webp", "webpsave_target"), ("in.tiff", "tiffsave_target"),
            ] {
                try original.write(to: fixture.url(name), with: saver, ["Q": .int(95)])
                let manifest = try await fixture.process(name, identifier: name) {
                    $0.cropRatio = 1
                    $0.quality = 95
                }.manifest
                let expanded = try #require(manifest.rendition(.expanded))
                #expect(expanded.size == PixelSize(width: 200, height: 200), "\(name)")
                #expect(manifest.contentSizeRatio == 1)
                let crop = try #require(expanded.crop)
                #expect(crop.x <= x && crop.x + crop.width >= x + patch.width, "\(name)")
                #expect(crop.y <= y && crop.y + crop.height >= y + patch.height, "\(name)")
                // Chroma subsampling blurs the edges of the patch.
                let difference = try fixture.picture(.expanded, of: manifest)
                    .meanDifference(from: shown(manifest, of: original))
                #expect(difference < 4, "\(name)")
                let colour = manifest.averageColour
                #expect(colour.red > colour.green, "the placeholder shows the patch")
                #expect(manifest.rendition(.banner)?.size == PixelSize(width: 200, height: 200))
                #expect(try fixture.incoming.isEmpty)
            }
        }
    }

    @Test("A large picture is reduced before the crop, and then has the display's width")
    func large() async throws {
        try await ProcessorFixture.with { fixture in
            let original = try picture(
                PixelSize(width: 2700, height: 1350), patch: part(0.8, 0.2, 0.1, 0.5))
            try original.write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            let manifest = try await fixture.process("in.jpg") { $0.cropRatio = 1 }.manifest
            let expanded = try #require(manifest.rendition(.expanded))
            #expect(expanded.size == PixelSize(width: 1320, height: 1320))
            let crop = try #require(expanded.crop)
            #expect(crop.x > 0.4 && crop.width == 0.5 && crop.y == 0 && crop.height == 1)
        }
    }

    @Test("A rotated picture is cropped upright")
    func sideways() async throws {
        try await ProcessorFixture.with { fixture in
            let upright = try picture(
                PixelSize(width: 320, height: 960), patch: part(0.2, 0.85, 0.5, 0.1))
            try upright.applying("rot", ["angle": .name("d270")]).write(
                to: fixture.url("plain.jpg"), with: "jpegsave_target",
                ["Q": .int(95), "strip": .bool(true)])
            try Data(contentsOf: fixture.url("plain.jpg")).withOrientation(6)
                .write(to: fixture.url("in.jpg"))
            let manifest = try await fixture.process("in.jpg") {
                $0.cropRatio = 0.75
                $0.quality = 95
            }.manifest
            let expanded = try #require(manifest.rendition(.expanded))
            #expect(expanded.size == PixelSize(width: 320, height: 240))
            #expect(manifest.contentSizeRatio == 0.75)
            let crop = try #require(expanded.crop)
            #expect(crop.x == 0 && crop.width == 1)
            #expect(crop.y <= 0.85 && crop.y + crop.height >= 0.95)
            let difference = try fixture.picture(.expanded, of: manifest)
                .meanDifference(from: shown(manifest, of: upright))
            #expect(difference < 4)
        }
    }

    @Test("Only the alpha of the kept part counts", arguments: [0.1, 0.8])
    func alpha(x: Double) async throws {
        try await ProcessorFixture.with { fixture in
            // The left half is opaque, the right one translucent.
            let original = try picture(
                PixelSize(width: 900, height: 300), patch: part(x, 0.2, 0.1, 0.5)
            ) { column, _ in column < 450 ? 255 : 200 }
            try original.write(to: fixture.url("in.png"), with: "pngsave_target")
            let manifest = try await fixture.process("in.png") { $0.cropRatio = 1 }.manifest
            let expanded = try #require(manifest.rendition(.expanded))
            #expect(expanded.size == PixelSize(width: 300, height: 300))
            #expect(try fixture.picture(.expanded, of: manifest).hasAlpha == (x > 0.5))
            if x > 0.5 {
                let difference = try fixture.picture(.expanded, of: manifest)
                    .largestDifference(from: shown(manifest, of: original))
                #expect(difference == 0)
            }
        }
    }

    @Test("Extreme ratios and one-pixel pictures have the planned size", arguments: [0.05, 1, 20])
    func extremes(ratio: Double) async throws {
        try await ProcessorFixture.with { fixture in
            var settings = ProcessingSettings()
            settings.cropRatio = ratio
            let planner = Planner(settings: settings)
            for (width, height) in [(1, 1), (4000, 1), (1, 4000), (2, 3), (600, 400)] {
                let size = PixelSize(width: width, height: height)
                let name = "\(size).png"
                try VipsFixture.gradient(size)
                    .write(to: fixture.url(name), with: "pngsave_target")
                let manifest = try await fixture.process(name, identifier: name) {
                    $0.cropRatio = ratio
                }.manifest
                let expanded = try #require(manifest.rendition(.expanded))
                #expect(expanded.size == planner.expandedSize(of: size), "\(name)")
                #expect(try fixture.picture(.expanded, of: manifest).size == expanded.size)
                #expect((expanded.crop == nil) == (expanded.size == size), "\(name)")
            }
        }
    }

    @Test("A picture of the ratio is kept byte for byte; another ratio means new work")
    func ready() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 400, height: 300)).write(
                to: fixture.url("in.jpg"), with: "jpegsave_target", ["strip": .bool(true)])
            let whole = try await fixture.process("in.jpg") { $0.cropRatio = 0.75 }
            #expect(whole.manifest.rendition(.expanded)?.crop == nil)
            #expect(
                try fixture.bytes(.expanded, of: whole.manifest)
                    == Data(contentsOf: fixture.url("in.jpg")))
            let cropped = try await fixture.process("in.jpg") { $0.cropRatio = 0.5 }
            #expect(cropped.work == .made)
            #expect(cropped.manifest.contentSizeRatio == 0.5)
            #expect(cropped.manifest.rendition(.expanded)?.crop?.height == 2.0 / 3)
            let again = try await fixture.process("in.jpg") { $0.cropRatio = 0.5 }
            #expect(again.work == .unchanged)
        }
    }

    @Test("The byte ceiling reduces the crop without moving it")
    func ceiling() async throws {
        try await ProcessorFixture.with { fixture in
            // Noise: the file's length depends on the size.
            let size = PixelSize(width: 1600, height: 800)
            let samples = (0..<size.pixelCount).map {
                UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13)
            }
            try VipsImage.from(samples: samples, size: size, bands: 1)
                .write(to: fixture.url("in.png"), with: "pngsave_target")
            let full = try await fixture.process("in.png") { $0.cropRatio = 1 }.manifest
            let large = try #require(full.rendition(.expanded))
            let ceiling = ByteCount(large.bytes.bytes / 3)
            let short = try await fixture.process("in.png") {
                $0.cropRatio = 1
                $0.maximumBytes = ceiling
            }.manifest
            let small = try #require(short.rendition(.expanded))
            #expect(small.bytes <= ceiling && small.size.width < large.size.width)
            #expect(large.crop == small.crop && small.crop != nil)
            #expect(short.contentSizeRatio == 1)
        }
    }

    @Test(
        "With little memory the picture is held in a scratch file, with the same result",
        arguments: [
            (ProcessingSettings.EngineChoice.automatic, "streamed"), (.libvips, "file-backed"),
        ])
    func scratch(engine: ProcessingSettings.EngineChoice, rung: String) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(PixelSize(width: 2400, height: 1800))
                .write(to: fixture.url("in.jpg"), with: "jpegsave_target")
            let footprint = try #require(Footprint.current())
            let cap = MemoryCap(ByteCount(footprint.bytes + (7 << 20)))
            let inFile = try await fixture.process("in.jpg") {
                $0.cap = cap
                $0.cropRatio = 1
                $0.engine = engine
            }
            #expect(inFile.manifest.rung == rung)
            #expect(inFile.memory.measuredPeak <= cap.footprint)
            #expect(try fixture.incoming.isEmpty)
            let inMemory = try await fixture.process("in.jpg", identifier: "in memory") {
                $0.cropRatio = 1
                $0.engine = engine
                $0.maximumScratchBytes = ByteCount(0)
                // Another setting, so that no result is reused; it has no effect on the quality.
                $0.maximumBytes = .megabytes(9)
            }
            #expect(inMemory.manifest.rung == "streamed")
            let renditions = [inFile, inMemory].map { $0.manifest.rendition(.expanded) }
            #expect(renditions[0]?.size == PixelSize(width: 1320, height: 1320))
            #expect(renditions[0]?.sha256 == renditions[1]?.sha256)
            #expect(renditions[0]?.crop == renditions[1]?.crop)
        }
    }
}

extension VipsImage {
    /// Mean difference of the samples of two pictures with the same size and bands.
    func meanDifference(from other: VipsImage) throws -> Double {
        let (own, others) = (try samples(), try other.samples())
        guard own.count == others.count else { return .infinity }
        let sum = zip(own, others).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(max(1, own.count))
    }
}
