import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Randomness
import Testing

@Suite("Plans for ImageIO") struct ImageIOPlannerTests {
    private let planner = ImageIOPlanner(settings: ProcessingSettings())

    /// Headers of every coding, with and without alpha, of 12 megapixels.
    private static let headers: [AttachmentHeader] = {
        let unit = PixelSize(width: 512, height: 64)
        let codings: [any PictureCoding] =
            [.baseline, .progressive, .nonInterleaved, .arithmetic].map { JPEGCoding($0) }
            + [PNGCoding(), PNGCoding(isInterlaced: true), WebPCoding.lossy, WebPCoding.lossless]
            + [GIFCoding(), TIFFCoding.strips(unit), TIFFCoding.tiles(unit)]
            + [false, true].map { HEIFCoding(isAV1: $0, .grid(tile: unit), frames: []) }
        return codings.flatMap { coding in
            [false, true].map { hasAlpha in
                AttachmentHeader(
                    coding, storedSize: PixelSize(width: 4032, height: 3024), colourModel: .rgb,
                    hasAlpha: hasAlpha && coding.format != .jpeg, fileBytes: .megabytes(3))
            }
        }
    }()

    private func budget(_ mebibytes: Int) -> MemoryBudget {
        MemoryBudget(cap: MemoryCap(.mebibytes(mebibytes)), baseline: .mebibytes(4))
    }

    private func largestDecoder(_ plan: Plan, _ demand: MemoryDemand) -> Int {
        demand.terms.first { $0.name == "picture in the decoder" }?.bytes.bytes ?? 0
    }

    @Test("Steps descend: full size, out of process, smaller sizes, the preview")
    func order() {
        for header in Self.headers {
            var header = header
            header.preview = EmbeddedPreview(
                JPEGCoding(.baseline), size: PixelSize(width: 160, height: 120), bytes: 100..<900)
            let steps = planner.ladder(header).steps
            let rungs = steps.map(\.plan.rung)
            #expect(rungs == rungs.sorted())
            #expect(rungs[0].isFullSize && rungs[0] != .outOfProcess)
            #expect(rungs.count { $0 == .outOfProcess } == 1 && rungs.last == .preview)
            #expect(steps.allSatisfy { $0.plan.engine == .imageIO && !$0.plan.usesScratch })
            let inProcess = steps.filter { $0.plan.rung != .outOfProcess }.map(\.demand.total)
            #expect(inProcess == inProcess.sorted(by: >))
        }
    }

    @Test("8 megapixels of JPEG in one scan fit a service extension; what is held whole does not")
    func serviceExtension() {
        for header in Self.headers {
            var header = header
            header.storedSize = PixelSize(width: 3264, height: 2448)
            let step = planner.ladder(header).step(within: budget(24))
            let isBaseline = header.coding.name == "baseline"
            #expect(step?.plan.rung == (isBaseline ? .streamed : .outOfProcess))
        }
    }

    @Test("Every decoder holds at least the decoded picture, and what its coding forces it to")
    func decoders() throws {
        let pixels = 4032 * 3024
        let held: [String: Double] = [
            "baseline": 0, "progressive": 3, "non-interleaved": 3, "arithmetic": 3,
        ]
        for header in Self.headers {
            let step = planner.ladder(header).steps[0]
            let factor = step.plan.loadShrink
            #expect(factor == 1 || [.jpeg, .heic].contains(header.format))
            let decoder = largestDecoder(step.plan, step.demand)
            #expect(decoder >= 4 * pixels / (factor * factor))
            let coded = Double(decoder) - Double(4 * pixels) / Double(factor * factor)
            if let held = held[header.coding.name], header.format == .jpeg {
                #expect(coded >= held * Double(pixels) && coded <= 1.2 * held * Double(pixels) + 1)
            }
        }
    }

    @Test(
        "Subsampling leaves a reduction of 2 to the scaling, and less only for memory",
        arguments: [(8000, [2, 4]), (4000, [1, 2]), (1400, [1]), (30_000, [8])])
    func factors(width: Int, expected: [Int]) {
        let header = AttachmentHeader(
            JPEGCoding(.baseline), storedSize: PixelSize(width: width, height: width),
            colourModel: .rgb, fileBytes: .megabytes(1))
        let full = planner.ladder(header).steps.filter { $0.plan.rung == .streamed }
        #expect(full.map(\.plan.loadShrink) == expected)
        for step in full {
            #expect(width / step.plan.loadShrink >= step.plan.reducedSize.width)
        }
    }

    @Test("A larger budget never chooses a worse step, and a larger picture never takes less")
    func monotonic() {
        var random = SplitMix64(seed: 18)
        for header in Self.headers {
            var smaller = header
            smaller.storedSize = PixelSize(
                width: 500 + random.below(2000), height: 500 + random.below(2000))
            let ladder = planner.ladder(header)
            var previous = ladder.steps.count
            for cap in stride(from: 8, through: 300, by: 4) {
                let step = ladder.step(within: budget(cap))
                let index = step.flatMap { ladder.steps.firstIndex(of: $0) } ?? ladder.steps.count
                #expect(index <= previous)
                previous = index
            }
            #expect(previous == 0)
            let whole = { (ladder: PlanLadder) in ladder.steps[0] }
            if !header.coding.imageIODecoding(of: header).isSubsampled {
                let (small, large) = (whole(planner.ladder(smaller)), whole(ladder))
                #expect(
                    largestDecoder(small.plan, small.demand)
                        < largestDecoder(large.plan, large.demand))
            }
        }
    }

    @Test("A picture that is ready for display is kept, and decoded for the banner alone")
    func kept() throws {
        for hasAlpha in [false, true] {
            let header = AttachmentHeader(
                PNGCoding(), storedSize: PixelSize(width: 600, height: 400), colourModel: .rgb,
                hasAlpha: hasAlpha, fileBytes: .megabytes(1))
            let steps = planner.ladder(header).steps
            #expect(steps.map(\.plan.treatment) == [.copy])
            var turned = header
            turned.orientation = .rotated90
            #expect(planner.ladder(turned).steps[0].plan.treatment == .encode)
        }
    }

    @Test("Pairs of settings and codings keep the sizes of the other engines", arguments: [3, 7])
    func sizes(seed: UInt64) {
        let ratios: [Double?] = [nil, 0.5, 1, 2]
        let widths: [Double] = [90, 440, 1000]
        let budgets: [ByteCount] = [.mebibytes(1), .mebibytes(8)]
        let rows = Pairwise(
            [Self.headers.count, ratios.count, widths.count, budgets.count, 8], seed: seed
        ).rows
        for row in rows {
            var settings = ProcessingSettings()
            settings.cropRatio = ratios[row[1]]
            settings.width = widths[row[2]]
            settings.renderBudget = budgets[row[3]]
            var header = Self.headers[row[0]]
            header.orientation = Orientation.allCases[row[4]]
            let step = ImageIOPlanner(settings: settings).ladder(header).steps[0]
            let expected = Planner(settings: settings).expandedSize(of: header.uprightSize)
            #expect(step.plan.expandedSize == expected)
            #expect(step.plan.expandedSize.decodedBytes <= settings.renderBudget)
        }
    }
}
