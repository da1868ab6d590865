import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Full chroma", .timeLimit(.minutes(3)))
struct FullChromaTests {
    @Test(
        "Coloured text keeps full chroma where that takes less than 20 % more bytes",
        arguments: ["in.webp", "in.tif"], [ProcessingSettings.EngineChoice.automatic, .libvips])
    func text(name: String, engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let page = try TextPage(photograph: .tinted, hasText: true).picture
            try fixture.write(page, to: name)
            let manifest = try await fixture.process(name) { $0.engine = engine }.manifest
            #expect(try fixture.sampling(.expanded, of: manifest) == "4:4:4")
            let length = try fixture.bytes(.expanded, of: manifest).count
            let sharp = try fixture.picture(.expanded, of: manifest)
            let halved = try await fixture.process(name) {
                ($0.engine, $0.maximumBytes) = (engine, ByteCount(length - 1))
            }.manifest
            #expect(try fixture.sampling(.expanded, of: halved) == "4:2:0")
            #expect(100 * length < 120 * (try fixture.bytes(.expanded, of: halved).count))
            let blurred = try fixture.picture(.expanded, of: halved)
            #expect(try sharp.agreement(with: page) > blurred.agreement(with: page) + 0.5)
        }
    }

    @Test(
        "Text on a photograph of many colours, and pictures without text, keep halved chroma",
        arguments: [
            TextPage(photograph: .coloured, hasText: true),
            TextPage(photograph: .tinted, hasText: false),
            TextPage(photograph: .coloured, hasText: false),
        ], [ProcessingSettings.EngineChoice.automatic, .libvips])
    func others(page: TextPage, engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try page.picture
            try fixture.write(picture, to: "in.webp")
            let manifest = try await fixture.process("in.webp") { $0.engine = engine }.manifest
            #expect(try fixture.sampling(.expanded, of: manifest) == "4:2:0")
            let length = try fixture.bytes(.expanded, of: manifest).count
            let halved = try fixture.halvedChroma(of: picture).count
            // The engine of rows writes fewer bytes than libjpeg.
            #expect(length * 1000 <= halved * 1001)
            if engine == .libvips { #expect(abs(length - halved) * 1000 <= halved) }
        }
    }

    @Test(
        "Full chroma that exceeds the byte ceiling gives way to halved chroma",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips])
    func ceiling(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let page = try TextPage(photograph: .tinted, hasText: true).picture
            try fixture.write(page, to: "in.tif")
            let whole = try await fixture.process("in.tif") { $0.engine = engine }.manifest
            let length = try #require(whole.rendition(.expanded)).bytes
            let manifest = try await fixture.process("in.tif") {
                ($0.engine, $0.maximumBytes) = (engine, ByteCount(length.bytes - 1))
            }.manifest
            #expect(try fixture.sampling(.expanded, of: manifest) == "4:2:0")
            let expanded = try #require(manifest.rendition(.expanded))
            #expect(expanded.size == page.size && expanded.bytes < length)
            // Its quality is not lowered.
            #expect(!manifest.notes.contains { $0.contains("quality") })
        }
    }

    @Test(
        "Halved chroma at a byte ceiling is named, and has not the score of full chroma",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips])
    func scored(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let page = try TextPage(photograph: .tinted, hasText: true).picture
            try fixture.write(page, to: "in.tif")
            let whole = try await fixture.process("in.tif") {
                ($0.engine, $0.targetScore) = (engine, 75)
            }.manifest
            #expect(try fixture.sampling(.expanded, of: whole) == "4:4:4")
            #expect(whole.notes.contains { $0.hasPrefix("score ") })
            let length = try #require(whole.rendition(.expanded)).bytes
            let halved = try await fixture.process("in.tif") {
                ($0.engine, $0.targetScore) = (engine, 75)
                $0.maximumBytes = ByteCount(length.bytes - 1)
            }.manifest
            #expect(try fixture.sampling(.expanded, of: halved) == "4:2:0")
            #expect(halved.notes.contains("halved chroma for the byte ceiling"))
        }
    }

    @Test(
        "A crop and a turned picture keep full chroma",
        arguments: [Orientation.upright, .rotated90],
        [ProcessingSettings.EngineChoice.automatic, .libvips])
    func cropped(orientation: Orientation, engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            let page = try TextPage(photograph: .tinted, hasText: true).picture
            try page.marked(orientation: orientation)
                .write(to: fixture.url("in.tif"), with: "tiffsave_target")
            let manifest = try await fixture.process("in.tif") {
                $0.engine = engine
                $0.cropRatio = 0.9
            }.manifest
            #expect(try fixture.sampling(.expanded, of: manifest) == "4:4:4")
        }
    }
}

/// A page of 600 × 600 pixels: a noisy photograph above flat white with text in four colours.
struct TextPage: CustomTestStringConvertible, Sendable {
    enum Photograph { case tinted, coloured }

    let photograph: Photograph
    let hasText: Bool

    var testDescription: String { "\(photograph), \(hasText ? "text" : "no text")" }

    private static let side = 600
    private static let photographRows = 240

    var picture: VipsImage {
        get throws {
            var random = SplitMix64(seed: 7)
            var samples = [UInt8](repeating: 255, count: 3 * Self.side * Self.side)
            for pixel in 0..<Self.side * Self.photographRows {
                let grey = 96 + random.below(49)
                // More than 256 colours, which would become a palette.
                let tint = [pixel % Self.side / 15, 0, pixel / Self.side / 10]
                for band in 0..<3 {
                    samples[3 * pixel + band] = UInt8(
                        (photograph == .tinted ? grey : 96 + random.below(49)) + tint[band])
                }
            }
            if hasText { draw(into: &samples) }
            return try VipsImage.from(
                samples: samples, size: PixelSize(width: Self.side, height: Self.side), bands: 3
            ).applying("copy", ["interpretation": .name("srgb")])
        }
    }

    /// Strokes of 2 × 12 pixels; every fourth line is coloured.
    private func draw(into samples: inout [UInt8]) {
        let lines = stride(from: Self.photographRows + 12, to: Self.side - 12, by: 24)
        for (line, top) in lines.enumerated() {
            let colours: [[UInt8]] = [[220, 0, 0], [0, 0, 220], [0, 130, 0]]
            let colour = line % 4 == 0 ? colours[line / 4 % 3] : [0, 0, 0]
            for left in stride(from: 12, to: Self.side - 12, by: 8) {
                let start = left + (left / 8 * 5 + line) % 4
                for y in top..<top + 12 {
                    for x in start..<start + 2 {
                        let first = 3 * (y * Self.side + x)
                        samples.replaceSubrange(first..<first + 3, with: colour)
                    }
                }
            }
        }
    }
}

extension ProcessorFixture {
    /// Writes a lossless WebP or a TIFF.
    fileprivate func write(_ picture: VipsImage, to name: String) throws {
        if name.hasSuffix("webp") {
            try picture.write(
                to: url(name), with: "webpsave_target", ["lossless": .bool(true)])
        } else {
            try picture.write(to: url(name), with: "tiffsave_target")
        }
    }

    /// The picture as JPEG of 4:2:0, at the default quality.
    fileprivate func halvedChroma(of picture: VipsImage) throws -> Data {
        try picture.write(
            to: url("reference.jpg"), with: "jpegsave_target",
            [
                "Q": .int(Self.settings.quality), "strip": .bool(true),
                "subsample_mode": .name("on"),
            ])
        return try Data(contentsOf: url("reference.jpg"))
    }

    fileprivate func sampling(_ role: RenditionRole, of manifest: Manifest) throws -> String? {
        let rendition = try #require(manifest.rendition(role))
        return try Probe().picture(
            at: container.root.path + "/renditions/" + rendition.file
        ).coding.subsamplingName
    }
}
