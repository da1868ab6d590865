import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentVips
import Foundation
import SampleMedia
import Testing

@Suite("Renditions", .timeLimit(.minutes(2)))
struct RenditionTests {
    private let wide = PixelSize(width: 1600, height: 1000)

    @Test(
        "A large JPEG becomes a baseline 4:2:0 JPEG with the display's width, and a square banner")
    func largeJPEG() async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.gradient(wide).write(
                to: fixture.url("in.jpg"), with: "jpegsave_target", ["interlace": .bool(true)])
            let done = try await fixture.process("in.jpg")
            let expanded = try #require(done.manifest.rendition(.expanded))
            #expect(done.work == .made)
            #expect(expanded.size == PixelSize(width: 1320, height: 825))
            #expect(expanded.type == "public.jpeg")
            #expect(done.manifest.contentSizeRatio == 0.625)
            #expect(
                done.manifest.rendition(.banner)?.size == PixelSize(width: 264, height: 264))

            let header = try Probe().picture(
                at: fixture.container.root.path + "/renditions/" + expanded.file)
            #expect(header.coding.name == "baseline")
            #expect(header.coding.subsamplingName == "4:2:0")
            #expect(!header.hasMetadata && header.profileBytes == 0)
            #expect(try fixture.incoming.isEmpty)
        }
    }

    @Test("Each of the eight orientations is turned upright", arguments: Orientation.allCases)
    func orientations(orientation: Orientation) async throws {
        try await ProcessorFixture.with { fixture in
            let upright = VipsFixture.gradient(PixelSize(width: 60, height: 40))
            let stored = try upright.stored(orientation)
            try stored.write(
                to: fixture.url("plain.jpg"), with: "jpegsave_target",
                ["Q": .int(95), "strip": .bool(true)])
            try Data(contentsOf: fixture.url("plain.jpg"))
                .withOrientation(UInt8(orientation.rawValue)).write(to: fixture.url("in.jpg"))
            let manifest = try await fixture.process("in.jpg") { $0.quality = 95 }.manifest
            #expect(manifest.source.orientation == orientation.rawValue)
            let picture = try fixture.picture(.expanded, of: manifest)
            #expect(picture.size == upright.size)
            #expect(try picture.largestDifference(from: upright) <= 24)
        }
    }

    @Test("A picture with transparency becomes PNG, without a fringe of hidden colours")
    func transparency() async throws {
        try await ProcessorFixture.with { fixture in
            // Opaque red, and transparent green, which must not show.
            let size = PixelSize(width: 2000, height: 20)
            let samples = (0..<size.pixelCount).flatMap { pixel -> [UInt8] in
                pixel % 2000 < 999 ? [255, 0, 0, 255] : [0, 255, 0, 0]
            }
            try VipsImage.from(samples: samples, size: size, bands: 4)
                .applying("copy", ["interpretation": .name("srgb")])
                .write(
                    to: fixture.url("in.webp"), with: "webpsave_target", ["lossless": .bool(true)])
            let manifest = try await fixture.process("in.webp").manifest
            #expect(manifest.rendition(.expanded)?.type == "public.png")
            let picture = try fixture.picture(.expanded, of: manifest)
            #expect(picture.size == PixelSize(width: 1320, height: 13))
            let row = try (0..<1320).map { try picture.pixel($0, 6) }
            #expect(row[0] == [255, 0, 0, 255])
            #expect(row[1319][3] == 0)
            #expect(row.allSatisfy { $0[3] < 8 || ($0[0] > 240 && $0[1] < 16) })
        }
    }

    @Test("A picture with opaque alpha becomes JPEG, even a small PNG")
    func opaqueAlpha() async throws {
        try await ProcessorFixture.with { fixture in
            for (name, saver) in [("in.png", "pngsave_target"), ("in.webp", "webpsave_target")] {
                try VipsFixture.gradient(PixelSize(width: 80, height: 60)) { _, _ in 255 }
                    .write(to: fixture.url(name), with: saver)
                let manifest = try await fixture.process(name, identifier: name).manifest
                #expect(manifest.rendition(.expanded)?.type == "public.jpeg", "\(name)")
            }
        }
    }

    @Test("A suitable picture is kept byte for byte, and gets a banner")
    func keptAsItIs() async throws {
        try await ProcessorFixture.with { fixture in
            let small = VipsFixture.gradient(PixelSize(width: 320, height: 200))
            let translucent = VipsFixture.gradient(PixelSize(width: 320, height: 200)) { x, _ in
                UInt8(x % 256)
            }
            try small.write(
                to: fixture.url("a.jpg"), with: "jpegsave_target", ["strip": .bool(true)])
            try small.write(
                to: fixture.url("b.png"), with: "pngsave_target", ["strip": .bool(true)])
            try translucent.write(
                to: fixture.url("c.png"), with: "pngsave_target", ["strip": .bool(true)])
            for name in ["a.jpg", "b.png", "c.png"] {
                let manifest = try await fixture.process(name, identifier: name).manifest
                let kept = try fixture.bytes(.expanded, of: manifest)
                #expect(try kept == Data(contentsOf: fixture.url(name)), "\(name)")
                #expect(manifest.notes == ["kept as it was"])
                #expect(
                    manifest.rendition(.banner)?.size == PixelSize(width: 200, height: 200))
            }
        }
    }

    @Test("Extremely thin and one-pixel pictures are not enlarged")
    func thin() async throws {
        try await ProcessorFixture.with { fixture in
            let sizes = [(1, 1), (5000, 1), (1, 5000), (3000, 2)]
            for (width, height) in sizes {
                let name = "\(width)x\(height).png"
                try VipsFixture.gradient(PixelSize(width: width, height: height))
                    .write(
                        to: fixture.url(name), with: "pngsave_target", ["interlace": .bool(true)])
                let manifest = try await fixture.process(name, identifier: name).manifest
                let size = try #require(manifest.rendition(.expanded)?.size)
                #expect(size.width == min(width, 1320) && 1...height ~= size.height, "\(name)")
                #expect(try fixture.picture(.expanded, of: manifest).size == size)
            }
        }
    }

    @Test("Wide-gamut pictures become sRGB, or Display P3 on request")
    func wideGamut() async throws {
        try await ProcessorFixture.with { fixture in
            // Pure P3 red lies outside sRGB; (230, 60, 40) in P3 does not.
            let patch = try VipsImage.from(
                samples: [UInt8](repeatElement([230, 60, 40], count: 64 * 64).joined()),
                size: PixelSize(width: 64, height: 64), bands: 3
            ).applying("copy", ["interpretation": .name("srgb")])
            try patch.write(
                to: fixture.url("in.jpg"), with: "jpegsave_target",
                ["Q": .int(95), "profile": .name("p3")])

            let narrow = try await fixture.process("in.jpg").manifest
            let srgb = try fixture.picture(.expanded, of: narrow)
            #expect(!srgb.hasProfile)
            // P3 (230, 60, 40) in sRGB by the matrices of both standards: (251, 31, 13).
            #expect(zip(try srgb.pixel(32, 32), [251, 31, 13]).allSatisfy { abs($0 - $1) <= 6 })

            let wide = try await fixture.process("in.jpg") { $0.colourSpace = .displayP3 }.manifest
            let p3 = try fixture.picture(.expanded, of: wide)
            #expect(p3.hasProfile)
            #expect(zip(try p3.pixel(32, 32), [230, 60, 40]).allSatisfy { abs($0 - $1) <= 4 })
        }
    }

    @Test("16-bit samples become 8-bit, and grey stays grey")
    func depths() async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: 40, height: 30)
            let samples = (0..<size.pixelCount).map { UInt16($0 * 65535 / (size.pixelCount - 1)) }
            try VipsImage.from(samples: samples, size: size, bands: 1)
                .applying("copy", ["interpretation": .name("grey16")])
                .write(to: fixture.url("in.png"), with: "pngsave_target")
            let manifest = try await fixture.process("in.png") { $0.quality = 95 }.manifest
            let picture = try fixture.picture(.expanded, of: manifest)
            #expect(picture.bands == 1 && !picture.isDeep)
            #expect(try picture.pixel(0, 0)[0] <= 4)
            #expect(try picture.pixel(39, 29)[0] >= 251)
        }
    }

    @Test("The banner shows the salient part", arguments: [100, 400, 700])
    func attention(position: Int) async throws {
        try await ProcessorFixture.with { fixture in
            // A checked red patch on uniform grey.
            let size = PixelSize(width: 900, height: 200)
            let samples = (0..<size.pixelCount).flatMap { pixel -> [UInt8] in
                let (x, y) = (pixel % 900, pixel / 900)
                guard position..<position + 80 ~= x, 60..<140 ~= y else { return [128, 128, 128] }
                return (x / 8 + y / 8) % 2 == 0 ? [220, 30, 30] : [250, 240, 230]
            }
            try VipsImage.from(samples: samples, size: size, bands: 3)
                .applying("copy", ["interpretation": .name("srgb")])
                .write(to: fixture.url("in.png"), with: "pngsave_target")
            let manifest = try await fixture.process("in.png").manifest
            let banner = try fixture.picture(.banner, of: manifest)
            let red = try banner.applying("extract_band", ["band": .int(0)])
            #expect(banner.size == PixelSize(width: 200, height: 200))
            #expect(try red.measuring("max") > 200, "the patch is in it")
            let part = try #require(manifest.rendition(.banner)?.crop)
            #expect(abs(part.width * 900 - 200) < 1 && part.y == 0 && part.height == 1)
            let patch = Double(position)...Double(position + 80)
            let shown = part.x * 900 - 1...(part.x + part.width) * 900 + 1
            #expect(shown.contains(patch.lowerBound) && shown.contains(patch.upperBound))
        }
    }

    @Test(
        "The banner of a tall picture shows the upper of two patches unless the lower is more salient"
    )
    func upperHalf() async throws {
        try await ProcessorFixture.with { fixture in
            for (lower, expected) in [(60, 200), (160, 60)] {
                let size = PixelSize(width: 200, height: 600)
                let samples = (0..<size.pixelCount).map { pixel -> UInt8 in
                    let (x, y) = (pixel % 200, pixel / 200)
                    let width = 40..<100 ~= y ? 60 : 500..<560 ~= y ? lower : 0
                    guard 20..<20 + width ~= x else { return 128 }
                    return (x / 8 + y / 8) % 2 == 0 ? UInt8(y < 300 ? 200 : 60) : 128
                }
                try VipsImage.from(samples: samples, size: size, bands: 1)
                    .write(to: fixture.url("in.png"), with: "pngsave_target")
                let manifest = try await fixture.process("in.png").manifest
                let banner = try fixture.picture(.banner, of: manifest)
                let extreme = try banner.measuring(expected > 128 ? "max" : "min")
                #expect(abs(extreme - Double(expected)) < 20)
            }
        }
    }

    @Test("16-bit alpha with a profile is scaled to 8 bits, and the profile is removed")
    func deepAlpha() async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: 16, height: 16)
            let pixel: [UInt16] = [40_000, 20_000, 10_000, 26_214]
            try VipsImage.from(
                samples: [UInt16](repeatElement(pixel, count: 256).joined()), size: size, bands: 4
            ).applying("copy", ["interpretation": .name("rgb16")]).write(
                to: fixture.url("in.png"), with: "pngsave_target", ["profile": .name("p3")])
            let manifest = try await fixture.process("in.png").manifest
            let picture = try fixture.picture(.expanded, of: manifest)
            #expect(!picture.hasProfile && !picture.isDeep)
            #expect(try picture.pixel(8, 8)[3] == 102)
        }
    }

    @Test("An animated GIF is attached unchanged, with a still of one frame")
    func animation() async throws {
        try await ProcessorFixture.with { fixture in
            let frames = PixelSize(width: 50, height: 120)
            try VipsFixture.gradient(frames).write(
                to: fixture.url("in.gif"), with: "gifsave_target", ["page-height": .int(40)])
            let manifest = try await fixture.process("in.gif").manifest
            #expect(manifest.source.frames == 3 && manifest.source.framesUsed == 3)
            #expect(manifest.rendition(.attachment)?.frames == 3)
            #expect(manifest.rendition(.expanded)?.size == PixelSize(width: 50, height: 40))
        }
    }
}

extension VipsImage {
    /// The picture as stored with an orientation: the inverse of turning it upright.
    fileprivate func stored(_ orientation: Orientation) throws -> VipsImage {
        func rotated(_ angle: String) throws -> VipsImage {
            try applying("rot", ["angle": .name(angle)])
        }
        func flipped(_ direction: String) throws -> VipsImage {
            try applying("flip", ["direction": .name(direction)])
        }
        return switch orientation {
        case .upright: self
        case .mirrored: try flipped("horizontal")
        case .rotated180: try rotated("d180")
        case .flipped: try flipped("vertical")
        case .transposed: try rotated("d90").applying("flip", ["direction": .name("horizontal")])
        case .rotated90: try rotated("d270")
        case .transversed: try rotated("d270").applying("flip", ["direction": .name("horizontal")])
        case .rotated270: try rotated("d90")
        }
    }
}
