import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Engine of rows with alpha", .timeLimit(.minutes(3)))
struct AlphaRowTests {
    @Test(
        "Transparent PNGs of every colour type and depth agree with libvips",
        arguments: [
            ("srgb", 8, false), ("rgb16", 16, false), ("b-w", 8, false), ("grey16", 16, false),
            ("srgb", 1, true), ("srgb", 4, true), ("srgb", 8, true),
        ], [false, true])
    func png(type: (space: String, depth: Int, isPalette: Bool), isInterlaced: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            var arguments: [String: VipsArgument] = [
                "interlace": .bool(isInterlaced), "strip": .bool(true), "filter": .name("all"),
            ]
            if type.isPalette { arguments["palette"] = .bool(true) }
            if type.depth < 16 { arguments["bitdepth"] = .int(type.depth) }
            try Self.picture(space: type.space)
                .write(to: fixture.url("in.png"), with: "pngsave_target", arguments)
            let (layout, samples) = try fixture.pngRows("in.png")
            let expected = try VipsFixture.open(fixture.url("in.png"), with: .png)
            #expect(layout.bands == expected.bands)
            #expect(try samples == expected.rawSamples())
            try await fixture.compareEngines("in.png", least: 40) {
                ($0.width, $0.scale) = (300, 1)
            }
        }
    }

    @Test(
        "Transparent pictures of our own decoders agree with libvips",
        arguments: [
            ("webp", "webpsave_target", false), ("webp", "webpsave_target", true),
            ("tif", "tiffsave_target", false), ("avif", "heifsave_target", false),
        ])
    func decoders(name: String, saver: String, isLossless: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            var arguments: [String: VipsArgument] = [:]
            if isLossless { arguments["lossless"] = .bool(true) }
            if name == "avif" { arguments = ["compression": .name("av1"), "Q": .int(90)] }
            try Self.picture().write(to: fixture.url("in.\(name)"), with: saver, arguments)
            // Small, so that the rendition may have every colour.
            try await fixture.compareEngines("in.\(name)", least: 40) {
                ($0.width, $0.scale) = (100, 1)
            }
        }
    }

    @Test(
        "A transparent picture in every orientation agrees with libvips",
        arguments: [("tif", "tiffsave_target"), ("webp", "webpsave_target")])
    func orientations(name: String, saver: String) async throws {
        try await ProcessorFixture.with { fixture in
            for orientation in Orientation.allCases {
                let picture = try Self.picture().marked(orientation: orientation)
                try picture.write(to: fixture.url("in.\(name)"), with: saver)
                // Small, so that the rendition may have every colour.
                try await fixture.compareEngines("in.\(name)", least: 39) {
                    ($0.width, $0.scale) = (60, 1)
                }
            }
        }
    }

    @Test("A colour that stands for transparency agrees with libvips", arguments: [3, 1])
    func colourKey(bands: Int) async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try VipsFixture.waves(PixelSize(width: 500, height: 300))
                .applying("extract_band", ["band": .int(0), "n": .int(bands)])
                .applying("copy", ["interpretation": .name(bands == 1 ? "b-w" : "srgb")])
            try picture.write(
                to: fixture.url("opaque.png"), with: "pngsave_target", ["strip": .bool(true)])
            let pixel = try picture.samples().prefix(bands)
            let whole = try Data(contentsOf: fixture.url("opaque.png"))
            // tRNS follows IHDR, which ends after 33 bytes.
            let key: [UInt8] = pixel.flatMap { [0, $0] }
            try (whole.prefix(33) + Data.pngChunk("tRNS", key) + whole.dropFirst(33))
                .write(to: fixture.url("in.png"))
            try await fixture.compareEngines("in.png", least: 40) {
                ($0.width, $0.scale) = (200, 1)
            }
        }
    }

    @Test("Opaque alpha is dropped, also where only the crop is opaque")
    func opaque() async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: 640, height: 480)
            try VipsFixture.gradient(size) { _, _ in 255 }
                .write(to: fixture.url("opaque.png"), with: "pngsave_target")
            // The sides are blank, and the stripes in the middle draw attention.
            let samples = (0..<size.pixelCount).flatMap { index -> [UInt8] in
                let x = index % size.width
                let light: UInt8 = (280..<360).contains(x) && x / 8 % 2 == 0 ? 255 : 0
                return [light, light, light, x < 40 || x >= 600 ? 0 : 255]
            }
            try VipsImage.from(samples: samples, size: size, bands: 4)
                .applying("copy", ["interpretation": .name("srgb")])
                .write(to: fixture.url("sides.png"), with: "pngsave_target")
            for (name, ratio) in [("opaque.png", nil), ("sides.png", 1.2)] as [(String, Double?)] {
                let manifest = try await fixture.process(name, identifier: name) {
                    ($0.width, $0.scale, $0.cropRatio) = (300, 1, ratio)
                }.manifest
                #expect(manifest.engine == "rows")
                #expect(try !fixture.picture(.expanded, of: manifest).hasAlpha, "\(name)")
                try await fixture.compareEngines(name, least: 40) {
                    ($0.width, $0.scale, $0.cropRatio) = (300, 1, ratio)
                }
            }
        }
    }

    @Test("A transparent picture of the right size is kept; an opaque one becomes JPEG")
    func kept() async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: 400, height: 300)
            for (name, alpha) in [("in.png", UInt8(254)), ("opaque.png", 255)] {
                try VipsFixture.gradient(size) { x, y in x == 7 && y == 9 ? alpha : 255 }.write(
                    to: fixture.url(name), with: "pngsave_target", ["strip": .bool(true)])
            }
            let kept = try await fixture.process("in.png", identifier: "a").manifest
            #expect(kept.engine == "rows" && kept.notes == ["kept as it was"])
            #expect(
                try fixture.bytes(.expanded, of: kept) == Data(contentsOf: fixture.url("in.png")))
            let encoded = try await fixture.process("opaque.png", identifier: "b").manifest
            #expect(encoded.rendition(.expanded)?.type == "public.jpeg")
        }
    }

    @Test("The byte ceiling leaves 256 colours with alpha, then a smaller size")
    func ceiling() async throws {
        try await ProcessorFixture.with { fixture in
            try Self.picture().write(to: fixture.url("in.png"), with: "pngsave_target")
            let manifest = { (limit: Int) async throws in
                try await fixture.process("in.png", identifier: "\(limit)") {
                    ($0.width, $0.scale, $0.maximumBytes) = (600, 1, ByteCount(limit))
                }.manifest
            }
            let whole = try await manifest(10_000_000)
            let bytes = try #require(whole.rendition(.expanded)?.bytes.bytes)
            let palette = try await manifest(bytes / 2)
            #expect(palette.engine == "rows")
            #expect(palette.notes == ["256 colours for the byte ceiling"])
            let vips = try await fixture.process("in.png", identifier: "again") {
                ($0.width, $0.scale, $0.maximumBytes) = (600, 1, ByteCount(bytes / 2))
                $0.engine = .libvips
            }.manifest
            #expect(vips.notes == palette.notes)
            let agreements = try [palette, vips].map { manifest in
                try fixture.picture(.expanded, of: manifest)
                    .agreement(with: fixture.picture(.expanded, of: whole))
            }
            #expect(agreements[0] > agreements[1] - 0.5, "\(agreements)")
            let small = try await manifest(bytes / 20)
            let width = try #require(small.rendition(.expanded)?.size.width)
            #expect(width < 600)
        }
    }

    @Test("Lossy WebP with alpha agrees with libvips, cropped and in linear light")
    func lossyWebP() async throws {
        try await ProcessorFixture.with { fixture in
            try Self.picture().write(to: fixture.url("in.webp"), with: "webpsave_target")
            for (isLinear, ratio) in [(false, 1.0), (true, nil), (true, 1.0)] as [(Bool, Double?)] {
                try await fixture.compareEngines("in.webp", least: 38) {
                    ($0.width, $0.scale, $0.cropRatio) = (100, 1, ratio)
                    $0.isLinear = isLinear
                }
            }
        }
    }

    @Test(
        "Halved chroma beside a hard edge of alpha gives no pixel another hue",
        arguments: [128, 100, 80, 64, 57, 40])
    func chromaBesideEdge(width: Int) throws {
        let picture = try reduce(
            RingRows(), to: PixelSize(width: width, height: width), isLinear: false, scratch: nil)
        let samples = picture.planes[0].samples
        let visible = stride(from: 0, to: samples.count, by: 4).filter { samples[$0 + 3] > 0 }
        #expect(visible.count > 300)
        // The ring is red; without chroma it would be green.
        #expect(visible.allSatisfy { samples[$0] >= samples[$0 + 1] })
    }

    @Test("A profile is converted under alpha", arguments: [true, false])
    func profile(isLossless: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let colours = try VipsFixture.waves(PixelSize(width: 640, height: 427)).applying(
                "icc_transform", ["output_profile": .name("p3"), "input_profile": .name("srgb")])
            try colours.withAlpha().write(
                to: fixture.url("in.webp"), with: "webpsave_target", ["lossless": .bool(isLossless)]
            )
            try await fixture.compareEngines("in.webp", least: 40) {
                ($0.width, $0.scale) = (200, 1)
            }
        }
    }

    /// Waves whose alpha falls from the centre to the corners, with a hard edge.
    private static func picture(space: String = "srgb") throws -> VipsImage {
        let size = PixelSize(width: 701, height: 467)
        let alpha = (0..<size.pixelCount).map { index in
            let (x, y) = (index % size.width - 350, index / size.width - 233)
            return x * x + y * y < 10_000
                ? UInt8(255) : UInt8(clamping: 300 - (abs(x) + abs(y)) / 2)
        }
        let waves = try VipsFixture.waves(size)
        let picture = try waves.joined(with: .from(samples: alpha, size: size, bands: 1))
        return try picture.applying("colourspace", ["space": .name(space)])
    }
}

/// A red ring two pixels wide on transparency, as the planes of a lossy WebP.
private final class RingRows: PlaneRows {
    private static let side = 128

    let layout = PlaneLayout(
        colours: .yCbCrAlpha,
        planes: [side, side / 2, side / 2].map { .init(PixelSize(width: $0, height: $0)) })
    private var y = 0

    private static func alpha(_ x: Int, _ y: Int) -> Int {
        abs(hypot(Double(x) - 63.3, Double(y) - 64.1) - 50) < 1 ? 255 : 0
    }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        guard y < Self.side else { return false }
        let luma: [UInt8] = (0..<Self.side).flatMap { x -> [UInt8] in
            [128, UInt8(Self.alpha(x, y))]
        }
        luma.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { row(0, start) }
        }
        if y % 2 == 1 {
            for (plane, sample) in [(1, UInt8(90)), (2, 200)] {
                let chroma: [UInt8] = (0..<Self.side / 2).flatMap { x -> [UInt8] in
                    let pixels = [(0, 1), (1, 1), (0, 0), (1, 0)]
                    let sum = pixels.reduce(0) { $0 + Self.alpha(2 * x + $1.0, y - $1.1) }
                    return [sample, UInt8((sum + 2) / 4)]
                }
                chroma.withUnsafeBytes { bytes in
                    if let start = bytes.baseAddress { row(plane, start) }
                }
            }
        }
        y += 1
        return true
    }
}
