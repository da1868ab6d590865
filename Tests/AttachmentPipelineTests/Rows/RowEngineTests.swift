import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

@testable import AttachmentPipeline
@testable import AttachmentVips

@Suite("Engine of rows", .timeLimit(.minutes(3)))
struct RowEngineTests {
    @Test(
        "JPEGs of every sampling and orientation agree with libvips",
        arguments: JPEGCase.generated)
    func jpeg(each: JPEGCase) async throws {
        try await ProcessorFixture.with { fixture in
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            try await fixture.compareEngines("in.jpg", least: 40) { each.apply(to: &$0) }
        }
    }

    @Test(
        "Pictures of our own decoders agree with libvips",
        arguments: [
            ("webp", "webpsave_target", false), ("webp", "webpsave_target", true),
            ("gif", "gifsave_target", false), ("tif", "tiffsave_target", false),
            ("avif", "heifsave_target", false),
        ])
    func decoders(name: String, saver: String, isLossless: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let file = "in.\(name)"
            var arguments: [String: VipsArgument] = [:]
            if isLossless { arguments["lossless"] = .bool(true) }
            if name == "avif" { arguments = ["compression": .name("av1"), "Q": .int(90)] }
            try VipsFixture.waves(PixelSize(width: 701, height: 467))
                .write(to: fixture.url(file), with: saver, arguments)
            try await fixture.compareEngines(file, least: 40) {
                $0.width = 300; $0.scale = 1
            }
        }
    }

    @Test("Fine detail of lossy WebP survives, which the decoder's own reduction blurs")
    func detail() async throws {
        try await ProcessorFixture.with { fixture in
            let size = PixelSize(width: 701, height: 467)
            let samples = (0..<size.pixelCount).flatMap { index -> [UInt8] in
                let (x, y) = (Double(index % size.width), Double(index / size.width))
                let light = UInt8(128 + 50 * (sin(0.9 * x) + sin(0.8 * y)))
                return [light, light, light]
            }
            try VipsImage.from(samples: samples, size: size, bands: 3)
                .applying("copy", ["interpretation": .name("srgb")])
                .write(to: fixture.url("in.webp"), with: "webpsave_target", ["Q": .int(95)])
            let whole = try VipsFixture.open(fixture.url("in.webp"), with: .webp)
            var agreements: [Double] = []
            for engine in [ProcessingSettings.EngineChoice.automatic, .libvips] {
                let manifest = try await fixture.process("in.webp", identifier: "\(engine)") {
                    ($0.width, $0.scale, $0.quality, $0.engine) = (300, 1, 95, engine)
                }.manifest
                let made = try fixture.picture(.expanded, of: manifest)
                let reduced = try whole.applying(
                    "resize",
                    [
                        "scale": .double(Double(made.size.width) / Double(size.width)),
                        "vscale": .double(Double(made.size.height) / Double(size.height)),
                    ])
                agreements.append(try made.agreement(with: reduced))
            }
            #expect(agreements[0] > 36 && agreements[0] > agreements[1] + 6, "\(agreements)")
        }
    }

    @Test(
        "Lossy WebPs of every size and orientation agree with libvips",
        arguments: Orientation.allCases)
    func lossyWebP(orientation: Orientation) async throws {
        try await ProcessorFixture.with { fixture in
            for (width, height) in [(1001, 667), (500, 333)] {
                try VipsFixture.waves(PixelSize(width: width, height: height))
                    .marked(orientation: orientation)
                    .write(to: fixture.url("in.webp"), with: "webpsave_target", ["Q": .int(95)])
                try await fixture.compareEngines("in.webp", least: 40) {
                    ($0.width, $0.scale, $0.quality, $0.bannerSide) = (200, 1, 95, 32)
                }
            }
        }
    }

    @Test("A picture of 16 bits and one in grey agree with libvips", arguments: ["rgb16", "b-w"])
    func samples(space: String) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.waves(PixelSize(width: 640, height: 427))
                .applying("colourspace", ["space": .name(space)])
                .write(to: fixture.url("in.tif"), with: "tiffsave_target")
            try await fixture.compareEngines("in.tif", least: 40) {
                $0.width = 200; $0.scale = 1
            }
        }
    }

    @Test(
        "Opaque PNGs of every colour type and depth agree with libvips",
        arguments: [
            ("srgb", 8, false), ("rgb16", 16, false), ("b-w", 8, false), ("grey16", 16, false),
            ("b-w", 1, false), ("b-w", 2, false), ("b-w", 4, false), ("srgb", 1, true),
            ("srgb", 2, true), ("srgb", 4, true), ("srgb", 8, true),
        ], [false, true])
    func png(type: (space: String, depth: Int, isPalette: Bool), isInterlaced: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try VipsFixture.waves(PixelSize(width: 701, height: 467))
                .applying("colourspace", ["space": .name(type.space)])
            var arguments: [String: VipsArgument] = [
                "interlace": .bool(isInterlaced), "strip": .bool(true), "filter": .name("all"),
            ]
            if type.isPalette { arguments["palette"] = .bool(true) }
            if type.depth < 16 { arguments["bitdepth"] = .int(type.depth) }
            try picture.write(to: fixture.url("in.png"), with: "pngsave_target", arguments)
            let (layout, samples) = try fixture.pngRows("in.png")
            let expected = try VipsFixture.open(fixture.url("in.png"), with: .png)
            #expect(layout.bands == expected.bands)
            #expect(try samples == expected.rawSamples())
            // Between its two passes libvips cuts off what exceeds 8 bits, which shows in pictures
            // of few greys.
            guard type.depth >= 8 || type.isPalette else { return }
            // Few colours stay a palette by rows, where libvips' quantiser may find none.
            guard type.depth > 1 else { return }
            try await fixture.compareEngines("in.png", least: 40) {
                $0.width = 300; $0.scale = 1
            }
        }
    }

    @Test("Damaged PNGs have the same errors with both engines", arguments: [false, true])
    func damagedPNG(isInterlaced: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            try VipsFixture.waves(PixelSize(width: 701, height: 467)).write(
                to: fixture.url("whole.png"), with: "pngsave_target",
                ["interlace": .bool(isInterlaced)])
            let whole = try Data(contentsOf: fixture.url("whole.png"))
            var flipped = whole
            flipped[whole.count / 2] ^= 0x10
            for (name, bytes, code) in [
                ("cut.png", whole.prefix(whole.count / 2), AttachmentError.Code.truncated),
                ("flipped.png", flipped, .corrupt),
            ] {
                try bytes.write(to: fixture.url(name))
                for engine in [ProcessingSettings.EngineChoice.automatic, .libvips] {
                    let error = try await fixture.refuse(name) {
                        ($0.width, $0.scale, $0.engine) = (300, 1, engine)
                    }
                    #expect(error?.code == code, "\(name) \(engine)")
                }
                let tolerant = try await fixture.process(name) {
                    ($0.width, $0.scale, $0.toleratesTruncation) = (300, 1, true)
                }
                #expect(tolerant.manifest.engine == "rows", "\(name)")
            }
            // Without IEND, as without anything else after the image data, no pixel is missing.
            try whole.dropLast(12).write(to: fixture.url("endless.png"))
            try await fixture.compareEngines("endless.png", least: 40) {
                ($0.width, $0.scale) = (300, 1)
            }
        }
    }

    @Test("Luma and chroma become a PNG in colour", arguments: ["jpg", "webp"])
    func png(name: String) async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try VipsFixture.waves(PixelSize(width: 640, height: 427))
            try picture.write(
                to: fixture.url("in.\(name)"),
                with: name == "jpg" ? "jpegsave_target" : "webpsave_target")
            try await fixture.compareEngines("in.\(name)", least: 34) {
                ($0.width, $0.scale, $0.stillType) = (200, 1, .png)
            }
        }
    }

    @Test("Profiles are converted as by libvips", arguments: ["in.jpg", "in.tif", "in.webp"])
    func profile(name: String) async throws {
        try await ProcessorFixture.with { fixture in
            let picture = try VipsFixture.waves(PixelSize(width: 640, height: 427))
                .applying(
                    "icc_transform",
                    ["output_profile": .name("p3"), "input_profile": .name("srgb")])
            try picture.write(
                to: fixture.url(name),
                with: [
                    "in.jpg": "jpegsave_target", "in.tif": "tiffsave_target",
                    "in.webp": "webpsave_target",
                ][name] ?? "")
            try await fixture.compareEngines(name, least: 40) {
                $0.width = 200; $0.scale = 1
            }
            let wide = try await fixture.process(name, identifier: "wide") {
                $0.colourSpace = .displayP3
            }.manifest
            #expect(wide.engine == "libvips")
        }
    }

    @Test(
        "Spots are where they belong",
        arguments: [PixelSize(width: 1001, height: 667), PixelSize(width: 2725, height: 2225)],
        Orientation.allCases)
    func spots(size: PixelSize, orientation: Orientation) async throws {
        try await ProcessorFixture.with { fixture in
            var centres: [(x: Double, y: Double)] = []
            for place in 0..<9 {
                let (column, row) = (Double(place % 3 + 1) / 4, Double(place / 3 + 1) / 4)
                let (x, y) = (Double(size.width) * column, Double(size.height) * row)
                centres.append((x: x + 3.3, y: y - 2.7))
            }
            let radius = Double(size.width) / 80
            var samples = [UInt8](repeating: 0, count: 3 * size.pixelCount)
            for centre in centres {
                for y in Int(centre.y - 4 * radius)...Int(centre.y + 4 * radius) {
                    for x in Int(centre.x - 4 * radius)...Int(centre.x + 4 * radius) {
                        let (right, down) = (Double(x) - centre.x, Double(y) - centre.y)
                        let distance = (right * right + down * down).squareRoot() / radius
                        let light = 200 * exp(-distance * distance / 2)
                        // Green and red are half in chroma.
                        for (band, share) in [1, 0.7, 0.2].enumerated() {
                            samples[3 * (y * size.width + x) + band] = UInt8(light * share)
                        }
                    }
                }
            }
            let each = JPEGCase(size: size, orientation: orientation)
            try each.write(
                VipsImage.from(samples: samples, size: size, bands: 3), to: fixture.url("in.jpg"))
            let manifest = try await fixture.process("in.jpg") { each.apply(to: &$0) }.manifest
            let picture = try fixture.picture(.expanded, of: manifest)
            let pixels = try picture.samples()
            let upright = orientation.upright(size)
            let scale = (
                x: Double(picture.size.width) / Double(upright.width),
                y: Double(picture.size.height) / Double(upright.height)
            )
            // The mean of the spots, because quantisation displaces each a little.
            for band in 0..<2 {
                var displacement = (x: 0.0, y: 0.0)
                for centre in centres {
                    let place = orientation.upright((centre.x + 0.5, centre.y + 0.5), in: size)
                    let expected = (x: place.x * scale.x - 0.5, y: place.y * scale.y - 0.5)
                    var sums = (light: 0.0, x: 0.0, y: 0.0)
                    let reach = Int(4 * radius * max(scale.x, scale.y))
                    for y in Int(expected.y) - reach...Int(expected.y) + reach {
                        for x in Int(expected.x) - reach...Int(expected.x) + reach {
                            let light = Double(pixels[3 * (y * picture.size.width + x) + band])
                            sums.light += light
                            sums.x += light * Double(x)
                            sums.y += light * Double(y)
                        }
                    }
                    displacement.x += (sums.x / sums.light - expected.x) / 9
                    displacement.y += (sums.y / sums.light - expected.y) / 9
                }
                #expect(abs(displacement.x) < 0.05 && abs(displacement.y) < 0.05)
            }
        }
    }

    @Test("Without room for scratch files the picture is held in memory, with the same result")
    func littleScratch() async throws {
        try await ProcessorFixture.with { fixture in
            let each = JPEGCase(orientation: .rotated90)
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            var digests: Set<ContentDigest?> = []
            for bytes in [0, 1000, 100_000, 1_000_000_000] {
                let manifest = try await fixture.process("in.jpg", identifier: "\(bytes)") {
                    each.apply(to: &$0)
                    $0.maximumScratchBytes = ByteCount(bytes)
                    // Another setting, so that no result is reused.
                    $0.maximumBytes = ByteCount(1_000_000 + bytes)
                }.manifest
                #expect(manifest.engine == "rows" && manifest.notes.isEmpty)
                digests.insert(manifest.rendition(.expanded)?.sha256)
            }
            #expect(digests.count == 1)
        }
    }

    @Test("A picture that the engine of rows does not support goes to libvips")
    func unsupported() async throws {
        try await ProcessorFixture.with { fixture in
            // Components named R, G and B, with a JFIF marker that is too short for libjpeg.
            let each = JPEGCase(sampling: "1x1")
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            var bytes = [UInt8](try Data(contentsOf: fixture.url("in.jpg")))
            try #require(Array(bytes[2..<4]) == [0xFF, 0xE0])
            bytes.replaceSubrange(2..<20, with: [0xFF, 0xE0, 0, 7] + Array("JFIF\0".utf8))
            let frame = try #require(
                bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
            let scan = try #require(
                bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xDA]) })
            for (index, name) in "RGB".utf8.enumerated() {
                bytes[frame + 10 + 3 * index] = name
                bytes[scan + 5 + 2 * index] = name
            }
            try Data(bytes).write(to: fixture.url("in.jpg"))
            let manifest = try await fixture.process("in.jpg") { each.apply(to: &$0) }.manifest
            #expect(manifest.engine == "libvips")
        }
    }

    @Test("Damage is reported as by libvips, strictly and tolerantly", arguments: [false, true])
    func damage(isProgressive: Bool) async throws {
        try await ProcessorFixture.with { fixture in
            let each = JPEGCase(isProgressive: isProgressive)
            try each.write(VipsFixture.waves(each.size), to: fixture.url("whole.jpg"))
            let whole = try Data(contentsOf: fixture.url("whole.jpg"))
            var outcomes: Set<String> = []
            for share in [0.02, 0.3, 0.6, 0.95, 0.999] {
                let cut = whole.prefix(Int(Double(whole.count) * share))
                var damaged = whole
                for offset in 0..<8 {
                    damaged[Int(Double(whole.count - 10) * share) + offset] ^= 0x5A
                }
                for (name, bytes) in [("cut.jpg", cut), ("damaged.jpg", damaged)] {
                    try bytes.write(to: fixture.url(name))
                    for isTolerant in [false, true] {
                        let change = { (settings: inout ProcessingSettings) in
                            each.apply(to: &settings)
                            settings.toleratesTruncation = isTolerant
                        }
                        let rows = try await fixture.refuse(name, change)
                        let vips = try await fixture.refuse(name) {
                            change(&$0)
                            $0.engine = .libvips
                        }
                        #expect(
                            rows?.code == vips?.code,
                            "\(name) \(share) \(isTolerant) \(rows?.detail ?? "") \(vips?.detail ?? "")"
                        )
                        outcomes.insert(rows.map { "\($0.code)" } ?? "made")
                    }
                }
            }
            #expect(outcomes.isSuperset(of: ["made", "truncated"]))
        }
    }

    @Test(
        "The byte ceiling lowers quality or size, whatever the orientation",
        arguments: Orientation.allCases)
    func ceiling(orientation: Orientation) async throws {
        try await ProcessorFixture.with { fixture in
            let each = JPEGCase(orientation: orientation)
            try each.write(VipsFixture.waves(each.size), to: fixture.url("in.jpg"))
            let bytes = { (limit: Int) async throws in
                let manifest = try await fixture.process("in.jpg", identifier: "\(limit)") {
                    each.apply(to: &$0)
                    $0.maximumBytes = ByteCount(limit)
                }.manifest
                #expect(manifest.engine == "rows")
                let expanded = try #require(manifest.rendition(.expanded))
                #expect(expanded.bytes.bytes <= limit)
                return (expanded, manifest.notes)
            }
            let whole = try await bytes(10_000_000)
            #expect(whole.1.isEmpty)
            let coarse = try await bytes(whole.0.bytes.bytes / 2)
            #expect(coarse.1.contains { $0.hasSuffix("for the byte ceiling") })
            #expect(2 * coarse.0.bytes.bytes > whole.0.bytes.bytes * 9 / 10)
            let small = try await bytes(whole.0.bytes.bytes / 9)
            #expect(small.0.size.width < whole.0.size.width)
            let ratio = small.0.size.heightToWidthRatio / whole.0.size.heightToWidthRatio
            #expect(abs(ratio - 1) < 0.03)
        }
    }
}

extension Orientation {
    /// Place of a stored point in the displayed picture.
    fileprivate func upright(
        _ place: (x: Double, y: Double), in size: PixelSize
    ) -> (x: Double, y: Double) {
        let (right, down) = (Double(size.width) - place.x, Double(size.height) - place.y)
        return switch self {
        case .upright: place
        case .mirrored: (right, place.y)
        case .rotated180: (right, down)
        case .flipped: (place.x, down)
        case .transposed: (place.y, place.x)
        case .rotated90: (down, place.x)
        case .transversed: (down, right)
        case .rotated270: (place.y, right)
        }
    }
}
