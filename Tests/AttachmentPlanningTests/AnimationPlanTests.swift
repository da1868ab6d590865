import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Testing

@Suite("Animation plans") struct AnimationPlanTests {
    private func header(
        _ format: AttachmentFormat = .gif, side: Int = 1080, frames: Int? = 120
    ) -> AttachmentHeader {
        let coding: any PictureCoding =
            switch format {
            case .gif: GIFCoding()
            case .png: PNGCoding()
            case .heic: HEIFCoding(isAV1: false, .single, frames: [])
            case .avif: HEIFCoding(isAV1: true, .single, frames: [])
            default: WebPCoding.lossy
            }
        return AttachmentHeader(
            coding, storedSize: PixelSize(width: side, height: side), colourModel: .rgb,
            frameCount: frames,
            fileBytes: ByteCount(1_000_000))
    }

    private func ladder(
        _ header: AttachmentHeader, _ change: (inout ProcessingSettings) -> Void = { _ in }
    ) -> PlanLadder {
        var settings = ProcessingSettings()
        change(&settings)
        return Planner(settings: settings).ladder(header)
    }

    @Test(
        "The animated plan comes first, then stills that take less and less memory",
        arguments: [
            AttachmentFormat.gif, .webp, .png,
        ])
    func rungs(format: AttachmentFormat) {
        let all = ladder(header(format)).steps
        let steps = Array(all.prefix { $0.plan.decoder == .animation })
        // A PNG has a default image, which needs no frame.
        #expect((all.count > steps.count) == (format == .png))
        #expect(steps.map(\.plan.rung).starts(with: [.animated, .fileBacked]))
        #expect(steps.dropFirst(2).allSatisfy { $0.plan.rung == .reduced })
        #expect(steps.allSatisfy { $0.plan.usesScratch })
        #expect(steps.allSatisfy { $0.plan.treatment == .encode && $0.plan.loadScale == 1 })
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.demand.total > $1.demand.total })
    }

    @Test("Stills and formats without an animation decoder have no animated plan")
    func others() {
        for header in [header(frames: 1), header(.heic), header(.avif, frames: nil)] {
            #expect(!ladder(header).steps.contains { $0.plan.decoder == .animation })
        }
        // Without scratch space for the canvas, or with the library alone, the first frame is
        // shown.
        let library = ladder(header()) { $0.decoder = .library }
        let withoutScratch = ladder(header()) { $0.maximumScratchBytes = ByteCount(0) }
        for ladder in [library, withoutScratch] {
            #expect(!ladder.steps.contains { $0.plan.decoder == .animation })
        }
    }

    @Test("The animation's size respects the render budget, the width and the picture's own size")
    func size() {
        for (side, frames, expected) in [(1080, 120, 323), (1080, 60, 457), (200, 4, 200)] {
            let plan = ladder(header(side: side, frames: frames)).steps[0].plan
            #expect(plan.animationSize == PixelSize(width: expected, height: expected))
            let size = plan.animationSize ?? .zero
            #expect(size.decodedBytes.bytes * frames <= 48 << 20)
        }
        let narrow = ladder(header(frames: 2)) { $0.width = 100 }.steps[0].plan
        #expect(narrow.animationSize == PixelSize(width: 300, height: 300))
        let poor = ladder(header()) { $0.animationRenderBudget = ByteCount(4) }.steps[0].plan
        #expect(poor.animationSize == PixelSize(width: 1, height: 1))
    }

    @Test("Demand never falls as an animation grows, and frames beyond the limit cost no more")
    func demand() {
        var before = ByteCount(0)
        for side in [16, 100, 500, 1080, 4000, 16_000] {
            let demand = ladder(header(.webp, side: side)).steps[0].demand.total
            #expect(demand >= before)
            before = demand
        }
        let most = ladder(header(frames: 3000)).steps[0].demand.total
        for frames in [nil, 3001, Int(UInt32.max)] {
            #expect(ladder(header(frames: frames)).steps[0].demand.total == most)
        }
    }

    @Test("Orientation is ignored for animations, as in viewers")
    func orientation() {
        var turned = header(.webp)
        turned.orientation = .rotated90
        turned.storedSize = PixelSize(width: 400, height: 100)
        let plan = ladder(turned).steps[0].plan
        #expect(plan.expandedSize == PixelSize(width: 400, height: 100))
        #expect(plan.reducedStoredSize == plan.reducedSize)
    }

    @Test("Out-of-range settings are reported by name")
    func validation() {
        func field(_ change: (inout ProcessingSettings) -> Void) -> String? {
            var settings = ProcessingSettings()
            change(&settings)
            do {
                try settings.validate()
                return nil
            } catch {
                return error.field
            }
        }
        #expect(field { $0.animationRenderBudget = ByteCount(3) } == "animationRenderBudget")
        #expect(field { $0.animationLimits.frames = 0 } == "animationLimits.frames")
        #expect(field { $0.animationLimits.seconds = .nan } == "animationLimits.seconds")
        #expect(field { $0.animationLimits.pixels = 0 } == "animationLimits.pixels")
        #expect(field { $0.animationLimits.drawnPixels = -1 } == "animationLimits.drawnPixels")
        #expect(field { $0.media.sound = ByteCount(-1) } == "media.sound")
    }
}
