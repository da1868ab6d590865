import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Testing

@Suite("Ladder") struct LadderTests {
    private let planner = Planner(settings: ProcessingSettings())
    private let vips: Planner

    init() {
        var settings = ProcessingSettings()
        settings.engine = .libvips
        vips = Planner(settings: settings)
    }

    private func budget(_ mebibytes: Int) -> MemoryBudget {
        MemoryBudget(cap: MemoryCap(.mebibytes(mebibytes)), baseline: ByteCount(5_500_000))
    }

    /// Headers of every format, coding and colour model, with and without alpha, profile and
    /// orientation.
    static let headers: [AttachmentHeader] = {
        let unit = PixelSize(width: 512, height: 64)
        let codings: [any PictureCoding] =
            [.baseline, .progressive, .nonInterleaved, .arithmetic].map { JPEGCoding($0) }
            + [PNGCoding(), PNGCoding(isInterlaced: true), WebPCoding.lossy, WebPCoding.lossless]
            + [GIFCoding(), TIFFCoding.strips(unit), TIFFCoding.tiles(unit)]
            + [false, true].flatMap { isAV1 in
                [HEIFCoding.Layout.single, .grid(tile: nil)].map {
                    HEIFCoding(isAV1: isAV1, $0, frames: [])
                }
            }
        return codings.flatMap { coding in
            ColourModel.allCases.flatMap { model in
                [false, true].flatMap { hasAlpha in
                    [Orientation.upright, .rotated90].map { orientation in
                        AttachmentHeader(
                            coding, storedSize: PixelSize(width: 1600, height: 1200),
                            orientation: orientation, colourModel: model, hasAlpha: hasAlpha,
                            bitsPerSample: hasAlpha ? 16 : 8,
                            profileBytes: orientation == .upright ? 0 : 3144,
                            preview: preview(beside: coding), fileBytes: .mebibytes(2))
                    }
                }
            }
        }
    }()

    private static func preview(beside coding: any PictureCoding) -> EmbeddedPreview? {
        guard [.jpeg, .heic].contains(coding.format) else { return nil }
        return EmbeddedPreview(coding, size: PixelSize(width: 160, height: 120))
    }

    private func with(_ header: AttachmentHeader, size: PixelSize) -> AttachmentHeader {
        var copy = header
        copy.storedSize = size
        return copy
    }

    @Test("Steps descend: full size first, then smaller sizes, then the embedded preview")
    func order() throws {
        for header in Self.headers {
            let steps = planner.ladder(header).steps
            let rungs = steps.map(\.plan.rung)
            #expect(rungs == rungs.sorted())
            #expect(rungs[0].isFullSize)
            // Only the library decodes arithmetic JPEG, and JPEG of more than 8 bits.
            #expect(rungs[0] != .wholePicture || header.format == .jpeg)
            #expect(rungs.contains(.preview) == (header.preview != nil))
            for (upper, lower) in zip(steps, steps.dropFirst()) where lower.plan.rung == .reduced {
                #expect(lower.plan.expandedSize.width < upper.plan.expandedSize.width)
                // The engine of rows may need more source rows for each row of a smaller picture.
                #expect(
                    lower.demand.total <= upper.demand.total || lower.plan.engine == .rows)
            }
        }
    }

    @Test("A reduced rendition still covers the banner")
    func floor() {
        for header in Self.headers {
            let reduced = planner.ladder(header).steps.filter { $0.plan.rung == .reduced }
            #expect(!reduced.isEmpty)
            for step in reduced {
                let size = step.plan.expandedSize
                #expect(min(size.width, size.height) >= 264)
            }
        }
    }

    @Test("A larger cap never chooses a worse rung", arguments: [0, 1])
    func moreCap(half: Int) {
        var served = 0
        for header in Self.headers {
            let large = with(
                header, size: PixelSize(width: 8000 + half, height: half == 0 ? 6000 : 4501))
            let ladder = planner.ladder(large)
            var previous: Int?
            for cap in stride(from: 1, through: 600, by: 3) {
                let chosen = ladder.step(within: budget(cap)).flatMap { step in
                    ladder.steps.firstIndex(of: step)
                }
                if let previous { #expect(chosen.map { $0 <= previous } == true) }
                previous = chosen ?? previous
            }
            if previous != nil { served += 1 }
        }
        #expect(served > Self.headers.count / 2)
    }

    @Test("Memory is spent on speed only when plentiful")
    func spacious() throws {
        var count = 0
        for header in Self.headers {
            let large = with(header, size: PixelSize(width: 8000, height: 6000))
            let steps = planner.ladder(large).steps
            guard let first = steps.first, first.isSpacious else { continue }
            count += 1
            let needed = first.demand.total.bytes >> 20
            #expect(planner.ladder(large).step(within: budget(needed + 12))?.isSpacious == false)
            #expect(planner.ladder(large).step(within: budget(8 * needed + 32)) == first)
            #expect(first.plan.expandedSize == steps[1].plan.expandedSize)
            #expect(first.plan.rung == steps[1].plan.rung)
        }
        #expect(count > 0)
    }

    @Test("An extreme reduction has its full size under a small cap")
    func extremeReduction() throws {
        var header = AttachmentHeader.fixture(width: 30_000, height: 30_000)
        header.coding = PNGCoding()
        let steps = planner.ladder(header).steps
        #expect(steps.allSatisfy { $0.plan.engine == .rows })
        let budget = MemoryBudget(cap: MemoryCap(.mebibytes(8)), baseline: .megabytes(2))
        let step = try #require(planner.ladder(header).step(within: budget))
        #expect(step == steps[0] && step.plan.reduction == 1)
        // A smaller size takes fewer columns of averages.
        let demands = steps.map(\.demand.total)
        #expect(demands == demands.sorted(by: >))
        // What remains are the rows of the decoder.
        let wider = planner.ladder(with(header, size: PixelSize(width: 300_000, height: 300_000)))
        let rowBytes = 3 * 300_000
        #expect(wider.steps[0].demand.total.bytes < demands[0].bytes + 3 * rowBytes)
    }

    @Test("A larger picture of the same proportions never has a smaller prediction")
    func largerPicture() throws {
        for header in Self.headers {
            for (width, height) in [(4, 3), (3, 4), (16, 9), (1, 1), (1, 9)] {
                var previous = ByteCount(0)
                var previousSpacious = ByteCount(0)
                for factor in stride(from: 1, through: 800, by: 7) {
                    let size = PixelSize(width: width * factor * 4, height: height * factor * 4)
                    let steps = planner.ladder(with(header, size: size)).steps
                    let full = try #require(steps.first { !$0.isSpacious })
                    guard full.plan.treatment == .encode else { continue }
                    #expect(full.demand.total >= previous, "\(header.format) \(size)")
                    previous = full.demand.total
                    guard let spacious = steps.first, spacious.isSpacious else { continue }
                    #expect(spacious.demand.total >= previousSpacious, "\(header.format) \(size)")
                    #expect(spacious.demand.total >= full.demand.total)
                    previousSpacious = spacious.demand.total
                }
                #expect(previous > ByteCount(0))
            }
        }
    }

    @Test("No header causes an overflow, and absurd ones fit no cap")
    func overflow() {
        for header in Self.headers {
            for size in [
                PixelSize(width: .max, height: .max), PixelSize(width: 1, height: .max),
                PixelSize(width: .max, height: 1), PixelSize(width: 65_535, height: 65_535),
            ] {
                var absurd = with(header, size: size)
                absurd.profileBytes = .max
                if header.coding is TIFFCoding { absurd.coding = TIFFCoding.tiles(size) }
                let ladder = planner.ladder(absurd)
                #expect(ladder.steps.allSatisfy { $0.demand.total > ByteCount(0) })
                #expect(ladder.steps[0].demand.total > .mebibytes(24))
                #expect(
                    ladder.steps[0].predictedPeak(in: budget(24)) >= ladder.steps[0].demand.total)
            }
        }
    }

    @Test("With the library alone, codings that it holds whole are planned whole")
    func library() {
        var settings = ProcessingSettings()
        settings.decoder = .library
        let planner = Planner(settings: settings)
        for header in Self.headers {
            let steps = planner.ladder(header).steps
            #expect(steps.allSatisfy { $0.plan.decoder == .library })
            #expect(!steps.contains { $0.plan.rung == .bounded })
        }
    }

    @Test("Without scratch files no plan uses one")
    func noScratch() {
        var settings = ProcessingSettings()
        settings.maximumScratchBytes = ByteCount(0)
        let planner = Planner(settings: settings)
        for header in Self.headers {
            #expect(planner.ladder(header).steps.allSatisfy { !$0.plan.usesScratch })
        }
    }

    @Test("Under a small cap, a rotated picture is held in a scratch file, at full size")
    func scratch() throws {
        let portrait = AttachmentHeader(
            JPEGCoding(.baseline), storedSize: PixelSize(width: 4032, height: 3024),
            orientation: .rotated90, colourModel: .rgb,
            fileBytes: .mebibytes(3))
        let ladder = vips.ladder(portrait)
        #expect(ladder.step(within: budget(24))?.plan.rung == .streamed)
        let short = try #require(ladder.step(within: budget(12))?.plan)
        #expect(short.rung == .fileBacked && short.usesScratch && short.reduction == 1)
        #expect(short.expandedSize == ladder.steps[0].plan.expandedSize)
        // The engine of rows always uses it.
        let rows = try #require(planner.ladder(portrait).step(within: budget(24))?.plan)
        #expect(rows.engine == .rows && rows.rung == .streamed && rows.usesScratch)
    }

    @Test("Under a small cap, a display-ready transparent picture is held in a scratch file")
    func readyTransparent() throws {
        let header = AttachmentHeader(
            PNGCoding(), storedSize: PixelSize(width: 1320, height: 1400),
            colourModel: .rgb, hasAlpha: true, fileBytes: .mebibytes(2))
        let ladder = vips.ladder(header)
        let roomy = try #require(ladder.step(within: budget(24)))
        #expect(roomy.plan.rung == .streamed && roomy.plan.treatment == .copyUnlessOpaque)
        let tight = try #require(ladder.step(within: budget(12)))
        #expect(tight.plan.rung == .fileBacked && tight.plan.treatment == .copyUnlessOpaque)
    }

    @Test("An animation and its stills go by rows, each rung for less memory than the one before")
    func animation() {
        for (width, height, frames) in [(1080, 1080, 120), (480, 320, 12), (6000, 6000, 3)] {
            let header = AttachmentHeader(
                GIFCoding(), storedSize: PixelSize(width: width, height: height),
                colourModel: .rgb, frameCount: frames, fileBytes: .mebibytes(1))
            let steps = planner.ladder(header).steps
            #expect(steps.prefix(2).map(\.plan.rung) == [.animated, .fileBacked])
            #expect(steps.allSatisfy { $0.plan.engine == .rows && $0.plan.decoder == .animation })
            for (before, after) in zip(steps, steps.dropFirst()) {
                #expect(after.demand.total < before.demand.total)
            }
        }
    }

    @Test("The engine of rows needs less until the process uses libvips")
    func beforeVips() {
        let demand = planner.ladder(.fixture(width: 4032, height: 3024)).steps[0].demand
        for (isCold, hasUsedVips) in [(true, false), (false, false), (false, true)] {
            let budget = MemoryBudget(
                cap: .serviceExtension, baseline: ByteCount(5_000_000), isCold: isCold,
                hasUsedVips: hasUsedVips)
            let relief = hasUsedVips ? 0 : MemoryDemand.warmUp.bytes
            #expect(demand.total(in: budget).bytes == demand.total.bytes - relief)
        }
    }

    @Test("Without scratch files the plan counts a second reduction for the byte ceiling")
    func reducedAgain() {
        let header = AttachmentHeader(
            JPEGCoding(.baseline), storedSize: PixelSize(width: 4032, height: 3024),
            colourModel: .rgb, fileBytes: .mebibytes(4))
        var turned = header
        turned.orientation = .rotated90
        var settings = ProcessingSettings()
        settings.maximumScratchBytes = ByteCount(0)
        settings.engine = .libvips
        let without = Planner(settings: settings)
        let added = { (header: AttachmentHeader) in
            without.ladder(header).steps[0].demand.total.bytes
                - vips.ladder(header).steps[0].demand.total.bytes
        }
        #expect(added(header) > 300_000)
        #expect(added(turned) == 0, "already held whole")
    }

    @Test(
        "A JPEG of 108 megapixels fits under 12 MiB, progressive or not, but not with the library")
    func codings() {
        let baseline = AttachmentHeader(
            JPEGCoding(.baseline), storedSize: PixelSize(width: 12_000, height: 9000),
            colourModel: .rgb, fileBytes: .mebibytes(20))
        var progressive = baseline
        progressive.coding = JPEGCoding(.progressive)
        #expect(planner.ladder(baseline).step(within: budget(12))?.plan.rung == .streamed)
        #expect(planner.ladder(progressive).step(within: budget(12))?.plan.rung == .bounded)
        var settings = ProcessingSettings()
        settings.decoder = .library
        let planner = Planner(settings: settings)
        #expect(planner.ladder(progressive).step(within: budget(50)) == nil)
        #expect(planner.ladder(progressive).step(within: budget(400))?.plan.rung == .wholePicture)
        progressive.preview = EmbeddedPreview(
            JPEGCoding(.baseline), size: PixelSize(width: 160, height: 120), bytes: 100..<5000)
        let preview = planner.ladder(progressive).step(within: budget(12))
        #expect(preview?.plan.rung == .preview)
        #expect(preview?.plan.expandedSize == PixelSize(width: 160, height: 120))
    }

    @Test("After a failure on a rung, only lower rungs are tried")
    func below() throws {
        var header = Self.headers[0]
        header.storedSize = PixelSize(width: 4000, height: 3000)
        let ladder = planner.ladder(header)
        let full = try #require(ladder.step(within: budget(100)))
        let second = try #require(ladder.step(within: budget(100), below: full.plan.rung))
        #expect(second.plan.rung == .reduced)
        #expect(ladder.step(within: budget(100), below: .reduced)?.plan.rung == .preview)
        #expect(ladder.step(within: budget(100), below: .preview) == nil)
    }

    @Test("The cap is parsed from bytes or the name of a preset")
    func caps() {
        #expect(MemoryCap(parsing: "24MB")?.footprint == .megabytes(24))
        #expect(MemoryCap(parsing: "12MiB") == .legacyServiceExtension)
        #expect(MemoryCap(parsing: "service-extension")?.footprint == .mebibytes(24))
        #expect(MemoryCap(parsing: "a lot") == nil)
        #expect(MemoryCap.serviceExtension.description == "24 MiB")
        #expect(MemoryCap(.megabytes(24)).description == "24 MB")
        #expect(MemoryBudget(cap: MemoryCap(ByteCount(1)), baseline: .mebibytes(5)).work.bytes == 0)
    }
}
