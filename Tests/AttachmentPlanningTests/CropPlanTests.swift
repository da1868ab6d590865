import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Randomness
import Testing

@Suite("Crop plans", .timeLimit(.minutes(1))) struct CropPlanTests {
    private static let ratios = [0.05, 0.5625, 0.75, 1, 4.0 / 3, 20]

    private func planner(
        _ ratio: Double?, _ change: (inout ProcessingSettings) -> Void = { _ in }
    ) -> Planner {
        var settings = ProcessingSettings()
        settings.cropRatio = ratio
        change(&settings)
        return Planner(settings: settings)
    }

    private func budget(_ mebibytes: Int) -> MemoryBudget {
        MemoryBudget(cap: MemoryCap(.mebibytes(mebibytes)), baseline: ByteCount(5_500_000))
    }

    private func header(_ size: PixelSize) -> AttachmentHeader {
        AttachmentHeader(
            JPEGCoding(.baseline), storedSize: size, colourModel: .rgb, fileBytes: .mebibytes(1))
    }

    @Test(
        "The picture is reduced until the largest part with the ratio fits",
        arguments: [
            // Wider ratio, taller ratio, and the picture's own ratio.
            (4032, 3024, 0.5, (1320, 990), (1320, 660)),
            (4032, 3024, 1, (1760, 1320), (1320, 1320)),
            (4032, 3024, 0.75, (1320, 990), (1320, 990)),
            // A difference of half a pixel of 990 is not cropped; a whole pixel is.
            (4032, 3024, 0.7497, (1320, 990), (1320, 990)),
            (4032, 3024, 0.7492, (1320, 990), (1320, 989)),
            (4032, 3024, 0.05, (1320, 990), (1320, 66)),
            // A part this narrow fits at full size.
            (4032, 3024, 20, (4032, 3024), (151, 3024)),
            // 64 megapixels exceed the held pixels for a crop.
            (8000, 8000, 40, (7071, 7071), (177, 7071)),
            (640, 480, 1, (640, 480), (480, 480)),
            (1, 1, 0.05, (1, 1), (1, 1)), (1, 1, 20, (1, 1), (1, 1)),
            (100_000, 1, 1, (100_000, 1), (1, 1)), (1, 100_000, 0.05, (1, 100_000), (1, 1)),
        ])
    func sizes(
        width: Int, height: Int, ratio: Double, reduced: (Int, Int), expanded: (Int, Int)
    ) {
        let plan = planner(ratio).plan(header(PixelSize(width: width, height: height)))
        #expect(plan.reducedSize == PixelSize(width: reduced.0, height: reduced.1))
        #expect(plan.expandedSize == PixelSize(width: expanded.0, height: expanded.1))
        #expect(plan.isCropped == (reduced != expanded))
        #expect(plan.description.contains("cropped to") == plan.isCropped)
    }

    @Test("The crop has the ratio, touches two opposite edges and respects every limit")
    func properties() {
        var random = SplitMix64(seed: 11)
        var cropped = 0
        for _ in 0..<20_000 {
            let ratio = Double.random(in: 0.05...20, using: &random)
            let planner = planner(ratio) {
                $0.renderBudget = ByteCount(Int.random(in: 400_000...20_000_000, using: &random))
                $0.width = Double(Int.random(in: 300...3000, using: &random))
            }
            let upright = PixelSize(
                width: Int.random(in: 1...20_000, using: &random),
                height: Int.random(in: 1...20_000, using: &random))
            let plan = planner.plan(header(upright))
            let (reduced, kept) = (plan.reducedSize, plan.expandedSize)
            #expect(reduced.width <= upright.width && reduced.height <= upright.height)
            #expect(kept.width <= reduced.width && kept.height <= reduced.height)
            #expect(kept.decodedBytes <= planner.settings.renderBudget)
            #expect(1...planner.settings.widthInPixels ~= kept.width)
            #expect(1...Planner.longestSide ~= kept.height)
            guard plan.isCropped else { continue }
            cropped += 1
            #expect(plan.treatment == .encode)
            // Rounding moves each side by up to a pixel, and the render budget by another.
            let off = abs(Double(kept.height) - ratio * Double(kept.width))
            #expect(off <= 2 + 2 * ratio, "\(upright) \(ratio) \(kept)")
            let room = [reduced.width - kept.width, reduced.height - kept.height]
            #expect(room.contains { $0 <= 12 }, "\(upright) \(ratio) \(reduced) \(kept)")
        }
        #expect(cropped > 10_000)
    }

    @Test("A picture that already has the ratio is planned without a crop")
    func whole() {
        for header in LadderTests.headers {
            let ratio = header.uprightSize.heightToWidthRatio
            #expect(planner(ratio).ladder(header) == planner(nil).ladder(header))
        }
    }

    @Test("A display-ready file is copied only without a crop")
    func treatment() {
        let ready = header(PixelSize(width: 640, height: 480))
        #expect(planner(0.75).plan(ready).treatment == .copy)
        #expect(planner(0.7).plan(ready).treatment == .encode)
        var transparent = ready
        (transparent.coding, transparent.hasAlpha) = (PNGCoding(), true)
        #expect(planner(0.75).plan(transparent).treatment == .copyUnlessOpaque)
        #expect(planner(0.7).plan(transparent).treatment == .encode)
    }

    @Test("The held picture counts once, and hardly at all in a scratch file")
    func held() throws {
        for original in LadderTests.headers {
            var header = original
            header.storedSize = PixelSize(width: 8000, height: 6000)
            let steps = planner(1).ladder(header).steps.filter { $0.plan.rung != .preview }
            try #require(!steps.isEmpty)
            for step in steps {
                #expect(step.plan.isCropped)
                guard step.plan.engine == .libvips else {
                    let term = step.demand.terms.first { $0.name == "reduced picture" }
                    #expect(try #require(term).bytes <= ByteCount(3 * 65_536))
                    continue
                }
                let names = ["picture held to be cropped", "picture held for its alpha"]
                let terms = step.demand.terms.filter { names.contains($0.name) }
                let term = try #require(terms.count == 1 ? terms.first : nil)
                #expect(term.name == names[header.hasAlpha ? 1 : 0])
                let pixels = step.plan.reducedSize.pixelCount
                let isInFile = step.plan.usesScratch
                #expect(isInFile ? term.bytes.bytes == 65_536 : term.bytes.bytes >= pixels)
            }
        }
    }

    @Test("A reduced rendition is cropped to the same ratio and still covers the banner")
    func reduced() {
        for ratio in [0.75, 1, 4.0 / 3] {
            for original in LadderTests.headers {
                var header = original
                header.storedSize = PixelSize(width: 8000, height: 4000)
                let steps = planner(ratio).ladder(header).steps
                    .filter { $0.plan.rung == .reduced }
                #expect(!steps.isEmpty)
                for step in steps {
                    let kept = step.plan.expandedSize
                    #expect(step.plan.isCropped)
                    #expect(min(kept.width, kept.height) >= 264)
                    #expect(abs(Double(kept.height) - ratio * Double(kept.width)) <= 1 + ratio)
                }
            }
        }
    }

    @Test("A larger cap never chooses a worse rung", arguments: ratios)
    func moreCap(ratio: Double) {
        for original in LadderTests.headers {
            var header = original
            header.storedSize = PixelSize(width: 8000, height: 4501)
            let ladder = planner(ratio).ladder(header)
            var previous: Int?
            for cap in stride(from: 1, through: 1200, by: 29) {
                let chosen = ladder.step(within: budget(cap)).flatMap { step in
                    ladder.steps.firstIndex(of: step)
                }
                if let previous { #expect(chosen.map { $0 <= previous } == true) }
                previous = chosen ?? previous
            }
            #expect(previous != nil)
        }
    }

    @Test(
        "A larger picture of the same proportions never has a smaller prediction",
        arguments: ratios)
    func largerPicture(ratio: Double) throws {
        for original in LadderTests.headers {
            for (width, height) in [(4, 3), (3, 4), (16, 9), (1, 1), (1, 9)] {
                var previous = ByteCount(0)
                for factor in stride(from: 1, through: 800, by: 80) {
                    var header = original
                    header.storedSize = PixelSize(
                        width: width * factor * 4, height: height * factor * 4)
                    let steps = planner(ratio).ladder(header).steps
                    let full = try #require(steps.first { !$0.isSpacious })
                    guard full.plan.treatment == .encode else { continue }
                    #expect(
                        full.demand.total >= previous, "\(header.format) \(header.storedSize)")
                    previous = full.demand.total
                }
                #expect(previous > ByteCount(0))
            }
        }
    }

    @Test("No header and no ratio causes an overflow")
    func overflow() {
        let sizes = [
            PixelSize(width: .max, height: .max), PixelSize(width: 1, height: .max),
            PixelSize(width: .max, height: 1),
        ]
        for ratio in Self.ratios + [.leastNonzeroMagnitude, .greatestFiniteMagnitude] {
            for size in sizes {
                for original in LadderTests.headers {
                    var header = original
                    header.storedSize = size
                    let ladder = planner(ratio).ladder(header)
                    #expect(ladder.steps.allSatisfy { $0.demand.total > MemoryDemand.warmUp })
                    let kept = ladder.steps.map(\.plan.expandedSize.decodedBytes)
                    #expect(kept.allSatisfy { $0 <= .mebibytes(8) })
                }
            }
        }
    }
}
