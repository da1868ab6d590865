import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Randomness
import Testing

@Suite("Planner")
struct PlannerTests {
    private let planner = Planner(settings: ProcessingSettings())
    private let vips: Planner

    init() {
        var settings = ProcessingSettings()
        settings.engine = .libvips
        vips = Planner(settings: settings)
    }

    @Test(
        "The expanded size respects the width, the render budget and the longest side",
        arguments: [
            (PixelSize(width: 4032, height: 3024), PixelSize(width: 1320, height: 990)),
            (PixelSize(width: 1320, height: 990), PixelSize(width: 1320, height: 990)),
            (PixelSize(width: 640, height: 480), PixelSize(width: 640, height: 480)),
            // Portrait: 1320 × 1760 would decode to 9.3 MB.
            (PixelSize(width: 3024, height: 4032), PixelSize(width: 1254, height: 1672)),
            (PixelSize(width: 1, height: 1), PixelSize(width: 1, height: 1)),
            (PixelSize(width: 100_000, height: 1), PixelSize(width: 1320, height: 1)),
            (PixelSize(width: 1, height: 100_000), PixelSize(width: 1, height: 8192)),
        ])
    func expandedSize(upright: PixelSize, expected: PixelSize) {
        #expect(planner.expandedSize(of: upright) == expected)
    }

    @Test("No size exceeds the limits, is enlarged or vanishes, whatever the header claims")
    func expandedSizeProperties() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<20_000 {
            var settings = ProcessingSettings()
            settings.renderBudget = ByteCount(Int.random(in: 4...20_000_000, using: &random))
            settings.width = Double(Int.random(in: 1...3000, using: &random))
            let exponents = 0...31
            let upright = PixelSize(
                width: 1 << Int.random(in: exponents, using: &random),
                height: Int.random(in: 1...(1 << 31), using: &random))
            let size = Planner(settings: settings).expandedSize(of: upright)
            #expect(size.decodedBytes <= settings.renderBudget)
            #expect(1...max(1, settings.widthInPixels) ~= size.width)
            #expect(size.height >= 1 && max(size.width, size.height) <= Planner.longestSide)
            #expect(size.width <= upright.width && size.height <= upright.height)
        }
    }

    @Test(
        "For libvips, JPEG is decoded at the largest divisor that keeps the pixel grid",
        arguments: [
            (4032, 3024, 2), (2772, 2080, 2), (2770, 2078, 1), (12_000, 9000, 8), (5600, 4200, 4),
            // The divisor leaves a remainder, which would displace half a column or row.
            (2725, 2225, 1), (4031, 3023, 1),
        ])
    func loadShrink(width: Int, height: Int, expected: Int) {
        let plan = vips.plan(.fixture(width: width, height: height))
        #expect(plan.loadShrink == expected)
        #expect(width / plan.loadShrink >= plan.reducedStoredSize.width)
    }

    @Test(
        "For rows, JPEG and lossy WebP are decoded at the largest divisor that leaves 2.33",
        arguments: [(3075, 1), (4032, 1), (6151, 1), (6152, 2), (12_304, 4), (24_609, 8)])
    func rowShrink(width: Int, expected: Int) {
        let plan = planner.plan(.fixture(width: width, height: width / 2))
        #expect(plan.engine == .rows && plan.loadShrink == expected)
        #expect(plan.box == PixelSize(width: 1, height: 1) && plan.kernel == .lanczos3)
        var webp = AttachmentHeader.fixture(width: width, height: width / 2)
        webp.coding = WebPCoding.lossy
        #expect(planner.plan(webp).engine == .rows && planner.plan(webp).loadShrink == expected)
        webp.hasAlpha = true
        #expect(planner.plan(webp).loadShrink == 1)
    }

    @Test("The engine of rows takes pictures with usual colours")
    func engines() {
        let jpeg = AttachmentHeader.fixture(width: 4032, height: 3024)
        let changes: [(Engine, (inout AttachmentHeader) -> Void)] = [
            (.rows, { _ in }), (.rows, { $0.coding = JPEGCoding(.progressive) }),
            (.libvips, { $0.coding = JPEGCoding(.arithmetic) }),
            (.rows, { $0.profileBytes = 500 }), (.rows, { $0.colourModel = .cmyk }),
            (.rows, { ($0.colourModel, $0.profileBytes) = (.cmyk, 500) }),
            (.libvips, { ($0.colourModel, $0.profileBytes, $0.hasAlpha) = (.cmyk, 500, true) }),
            (.rows, { ($0.colourModel, $0.profileBytes) = (.grey, 500) }),
            (.rows, { ($0.coding, $0.bitsPerSample, $0.profileBytes) = (PNGCoding(), 16, 500) }),
            (.rows, { $0.coding = PNGCoding() }),
            (.rows, { $0.coding = PNGCoding(isInterlaced: true) }),
            (.rows, { ($0.coding, $0.hasAlpha) = (PNGCoding(), true) }),
            (.rows, { ($0.coding, $0.profileBytes) = (PNGCoding(), 500) }),
            (.rows, { $0.coding = WebPCoding.lossy }),
            (.rows, { ($0.coding, $0.hasAlpha) = (WebPCoding.lossless, true) }),
        ]
        for (number, (engine, change)) in changes.enumerated() {
            var header = jpeg
            change(&header)
            #expect(planner.plan(header).engine == engine, "\(number)")
            #expect(vips.plan(header).engine == .libvips, "\(number)")
        }
        var settings = ProcessingSettings()
        settings.colourSpace = .displayP3
        var wide = jpeg
        wide.profileBytes = 500
        #expect(Planner(settings: settings).plan(jpeg).engine == .rows)
        #expect(Planner(settings: settings).plan(wide).engine == .libvips)
        wide.colourModel = .cmyk
        #expect(Planner(settings: settings).plan(wide).engine == .rows)
        (settings.width, settings.scale) = (10, 1)
        var large = jpeg
        large.coding = WebPCoding.lossless
        large.storedSize = PixelSize(width: 16_000, height: 6000)
        #expect(Planner(settings: settings).plan(large).engine == .rows)
    }

    @Test("The cheaper kernel is used only after a full decode, for a small reduction")
    func kernel() {
        for (width, expected) in [
            (2048, Plan.Kernel.lanczos2), (2771, .lanczos2), (4032, .lanczos3),
        ] {
            #expect(vips.plan(.fixture(width: width, height: 1000)).kernel == expected)
        }
        var header = AttachmentHeader.fixture(width: 4032, height: 3024)
        header.coding = PNGCoding()
        #expect(vips.plan(header).kernel == .lanczos3)
    }

    @Test("A rotated picture is planned upright and decoded as stored")
    func sideways() {
        var header = AttachmentHeader.fixture(width: 4032, height: 3024)
        header.orientation = .rotated90
        let plan = planner.plan(header)
        #expect(plan.expandedSize == PixelSize(width: 1254, height: 1672))
        #expect(plan.reducedStoredSize == PixelSize(width: 1672, height: 1254))
    }

    @Test("A display-ready file is copied; any single fault makes it encoded again")
    func treatment() {
        let ready = AttachmentHeader.fixture(width: 640, height: 480)
        #expect(planner.plan(ready).treatment == .copy)
        let faults: [(String, (inout AttachmentHeader) -> Void)] = [
            ("progressive", { $0.coding = JPEGCoding(.progressive) }),
            ("refused by a stricter decoder", { $0.mustBeEncoded = true }),
            ("profile", { $0.profileBytes = 3144 }),
            ("inks", { $0.colourModel = .cmyk }),
            ("over the byte limit", { $0.fileBytes = .megabytes(11) }),
            ("too wide", { $0.storedSize = PixelSize(width: 1321, height: 10) }),
            ("another type", { $0.coding = WebPCoding.lossy }),
        ]
        for (name, fault) in faults {
            var header = ready
            fault(&header)
            #expect(planner.plan(header).treatment == .encode, "\(name)")
        }
    }

    @Test("Metadata is stripped without decoding from JPEG and PNG of the engine of rows only")
    func treatmentOfMetadata() {
        var header = AttachmentHeader.fixture(width: 640, height: 480)
        header.hasMetadata = true
        #expect(planner.plan(header).treatment == .strip)
        var settings = planner.settings
        settings.engine = .libvips
        #expect(Planner(settings: settings).plan(header).treatment == .encode)
        header.coding = PNGCoding()
        #expect(planner.plan(header).treatment == .strip)
        #expect(Planner(settings: settings).plan(header).treatment == .encode)
    }

    @Test("A small PNG with alpha is copied only if some pixel is transparent")
    func treatmentOfAlpha() {
        var header = AttachmentHeader.fixture(width: 640, height: 480)
        header.coding = PNGCoding()
        #expect(planner.plan(header).treatment == .copy)
        header.hasAlpha = true
        #expect(planner.plan(header).treatment == .copyUnlessOpaque)
        header.bitsPerSample = 16
        #expect(planner.plan(header).treatment == .encode)
    }

    @Test("The preview covers the banner and is never enlarged")
    func previewPlan() {
        let wide = Planner.bannerPlan(of: .fixture(width: 1320, height: 990), side: 264)
        #expect(wide.expandedSize == PixelSize(width: 352, height: 264))
        #expect(wide.loadShrink == 2)
        let small = Planner.bannerPlan(of: .fixture(width: 100, height: 1), side: 264)
        #expect(small.expandedSize == PixelSize(width: 100, height: 1))
        #expect(small.loadShrink == 1)
    }
}

@Suite("Encoding ladder")
struct EncodingLadderTests {
    private let size = PixelSize(width: 1320, height: 990)

    @Test("Quality drops to 40 before the size changes")
    func opaque() {
        let attempts = EncodingLadder(size: size, isOpaque: true, quality: 80, floor: 264).attempts
        let first = attempts.prefix { $0.size == size }.map(\.encoding)
        #expect(first == [80, 70, 60, 50, 40].map(Encoding.jpeg))
        #expect(attempts.dropFirst(5).allSatisfy { $0.encoding == .jpeg(quality: 40) })
        #expect(attempts.last.map { $0.size.width } ?? 0 >= 264)
    }

    @Test("Full chroma is for JPEG, and takes less than 20 % more bytes")
    func fullChroma() {
        let attempts = EncodingLadder(size: size, isOpaque: true, quality: 80, floor: 264).attempts
        #expect(attempts[0].withFullChroma?.encoding == .fullChromaJPEG(quality: 80))
        #expect(attempts[0].withFullChroma?.withFullChroma == nil)
        let most = EncodingLadder.Attempt.mostBytes(withFullChroma: ByteCount(1000))
        #expect(most == ByteCount(1199))
        let png = EncodingLadder(size: size, isOpaque: false, quality: 80, floor: 264).attempts[0]
        #expect(png.withFullChroma == nil)
    }

    @Test("Transparent pictures become dense, then are quantised, before the size changes")
    func transparent() {
        let attempts = EncodingLadder(size: size, isOpaque: false, quality: 80, floor: 264).attempts
        #expect(attempts.prefix(3).map(\.encoding) == [.png, .png, .palettePNG])
        #expect(attempts.prefix(3).map(\.isDense) == [false, true, false])
        #expect(attempts.prefix(3).allSatisfy { $0.size == size })
        #expect(attempts.dropFirst(3).allSatisfy { $0.encoding == .palettePNG })
        #expect(attempts[2].withoutExtraMemory == attempts[1])
    }

    @Test("A palette within 8 % of the allowance is made denser before the size changes")
    func denserPalette() {
        let png = EncodingLadder(size: size, isOpaque: false, quality: 80, floor: 264).attempts
        let palette = png[2]
        let denser = palette.denserPalette(than: ByteCount(1080), for: ByteCount(1000))
        #expect(denser?.encoding == .palettePNG && denser?.size == size)
        #expect(denser?.isDense == true)
        #expect(denser?.denserPalette(than: ByteCount(1080), for: ByteCount(1000)) == nil)
        #expect(palette.denserPalette(than: ByteCount(1100), for: ByteCount(1000)) == nil)
        #expect(png[0].denserPalette(than: ByteCount(1001), for: ByteCount(1000)) == nil)
    }

    @Test("Each size is smaller than the previous one; below the floor the size stays")
    func sizes() {
        let attempts = EncodingLadder(size: size, isOpaque: true, quality: 30, floor: 1).attempts
        for (larger, smaller) in zip(attempts, attempts.dropFirst()) {
            #expect(smaller.size.pixelCount < larger.size.pixelCount)
        }
        let tiny = PixelSize(width: 10, height: 10)
        let few = EncodingLadder(size: tiny, isOpaque: true, quality: 30, floor: 264).attempts
        #expect(few.map(\.size) == [tiny])
    }
}

@Suite("Processing settings")
struct ProcessingSettingsTests {
    @Test("The defaults are valid, and each out-of-range field is named")
    func validation() throws {
        try ProcessingSettings().validate()
        let faults: [(String, (inout ProcessingSettings) -> Void)] = [
            ("width", { $0.width = 0 }), ("width", { $0.width = .nan }),
            ("scale", { $0.scale = 11 }), ("bannerSide", { $0.bannerSide = .infinity }),
            ("renderBudget", { $0.renderBudget = ByteCount(3) }), ("quality", { $0.quality = 0 }),
            ("cropRatio", { $0.cropRatio = 0 }), ("cropRatio", { $0.cropRatio = .infinity }),
            ("maximumBytes", { $0.maximumBytes = ByteCount(0) }),
            ("maximumPixels", { $0.maximumPixels = 0 }),
            ("maximumPixelsPerByte", { $0.maximumPixelsPerByte = 0 }),
            ("maximumSourceBytes", { $0.maximumSourceBytes = ByteCount(-1) }),
        ]
        for (field, fault) in faults {
            var settings = ProcessingSettings()
            fault(&settings)
            let error = #expect(throws: SettingsError.self) { try settings.validate() }
            #expect(error?.field == field)
        }
    }
}

extension AttachmentHeader {
    /// Baseline JPEG of 1 MB.
    static func fixture(width: Int, height: Int) -> AttachmentHeader {
        AttachmentHeader(
            JPEGCoding(.baseline), storedSize: PixelSize(width: width, height: height),
            colourModel: .rgb, fileBytes: .megabytes(1))
    }
}
