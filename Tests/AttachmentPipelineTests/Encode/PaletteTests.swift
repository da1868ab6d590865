import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Randomness
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Palettes of PNGs", .timeLimit(.minutes(2)))
struct PaletteTests {
    private static let size = PixelSize(width: 320, height: 200)

    @Test("Both engines write the same bytes of a picture that keeps its size")
    func engines() async throws {
        try await ProcessorFixture.with { fixture in
            try Self.shaded(seed: 1).write(to: fixture.url("in.png"), with: "pngsave_target")
            var files: [Data] = []
            for engine in [ProcessingSettings.EngineChoice.automatic, .libvips] {
                let manifest = try await fixture.process("in.png", identifier: "\(engine)") {
                    ($0.width, $0.scale, $0.engine) = (320, 1, engine)
                    $0.maximumBytes = ByteCount(67_000)
                }.manifest
                #expect(manifest.notes == ["256 colours for the byte ceiling"])
                files.append(try fixture.bytes(.expanded, of: manifest))
            }
            #expect(files[0] == files[1])
        }
    }

    @Test("Few colours with alpha keep every pixel", arguments: [2, 100, 256])
    func fewColours(count: Int) throws {
        let size = Self.size
        let pixels = PackedPixels(size, bands: 4) { y, row in
            for x in 0..<size.width {
                let colour = UInt8((x / 3 + y * 5) % count)
                for (band, value) in [colour, 255 - colour, colour / 2, colour | 1].enumerated() {
                    row[4 * x + band] = value
                }
            }
        }
        let samples = try Self.samples(of: pixels)
        var pixel = 0
        var read = pixels
        for y in 0..<size.height {
            read.forEach(in: y) { colour in
                let shown = (0..<4).reduce(UInt32(0)) {
                    $0 | UInt32(samples[4 * pixel + $1]) << (8 * UInt32($1))
                }
                if shown != colour { Issue.record("\(y): \(shown) is not \(colour)") }
                pixel += 1
            }
        }
    }

    @Test("A profile is kept")
    func profile() throws {
        let wide = try Self.shaded(seed: 2).colours().applying(
            "icc_transform", ["output_profile": .name("p3"), "input_profile": .name("srgb")])
        let profile = try #require(wide.profile)
        let pixels = PackedPixels(Self.size, bands: 3) { y, row in
            for index in row.indices { row[index] = UInt8(truncatingIfNeeded: index / 7 * (y + 1)) }
        }
        #expect(try Self.picture(of: pixels, profile: profile).profile == profile)
    }

    @Test(
        "The effort best makes palettes of drawings shorter, with the same pixels",
        arguments: [ProcessingSettings.EngineChoice.automatic, .libvips])
    func effort(engine: ProcessingSettings.EngineChoice) async throws {
        try await ProcessorFixture.with { fixture in
            // A PNG would be kept as it is.
            try Self.tiled().write(to: fixture.url("in.tif"), with: "tiffsave_target")
            var lengths: [Int] = []
            var shown: [[UInt8]] = []
            for effort in [ProcessingSettings.Effort.standard, .best] {
                let done = try await fixture.process("in.tif", identifier: effort.rawValue) {
                    ($0.width, $0.scale, $0.engine) = (320, 1, engine)
                    ($0.effort, $0.stillType) = (effort, .png)
                    // libvips writes every colour first, in 4,158 bytes.
                    if engine == .libvips { $0.maximumBytes = ByteCount(4_157) }
                }
                lengths.append(try fixture.bytes(.expanded, of: done.manifest).count)
                shown.append(try fixture.picture(.expanded, of: done.manifest).samples())
            }
            #expect(lengths[1] < lengths[0], "\(lengths)")
            #expect(shown[0] == shown[1])
        }
    }

    /// Sixteen tiles of forty colours with alpha, in an order that repeats little.
    private static func tiled() throws -> VipsImage {
        func hashed(_ number: Int) -> UInt32 { UInt32(number) &* 2_654_435_761 }
        let samples = (0..<size.pixelCount).flatMap { index in
            let (x, y) = (index % size.width, index / size.width)
            let tile = hashed(x / 8 * 31 + y / 8 * 17) >> 28
            let colour = UInt8(
                hashed(Int(tile) * 64 + x % 8 / 2 * 8 + y % 8 / 2) % 40)
            return [6 * colour, 255 - colour, 3 * colour, 200 + colour]
        }
        return try VipsImage.from(samples: samples, size: size, bands: 4)
            .applying("copy", ["interpretation": .name("srgb")])
    }

    /// Colours and alpha with noise, so that all pixels differ.
    private static func shaded(seed: UInt64) throws -> VipsImage {
        var random = SplitMix64(seed: seed)
        let samples = (0..<size.pixelCount).flatMap { index in
            let (x, y) = (index % size.width, index / size.width)
            let noise = random.next()
            return [
                UInt8(x / 2), UInt8(y), UInt8(truncatingIfNeeded: noise) / 4,
                x < 40 ? 255 : UInt8(truncatingIfNeeded: noise >> 8) / 4 + 190,
            ]
        }
        return try VipsImage.from(samples: samples, size: size, bands: 4)
            .applying("copy", ["interpretation": .name("srgb")])
    }

    /// The decoded file of pixels as a palette.
    private static func picture(
        of pixels: PackedPixels, profile: [UInt8]? = nil
    ) throws -> VipsImage {
        try TemporaryFolder.withFile("picture.png") {
            try encodePalettePNG(pixels, profile: profile, to: .file($0))
        } read: {
            try VipsFixture.open($0, with: .png).inMemory()
        }
    }

    private static func samples(of pixels: PackedPixels) throws -> [UInt8] {
        try picture(of: pixels).withAlpha().samples()
    }
}
