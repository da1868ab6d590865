import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Randomness
import Testing

@Suite("Plans for linear light", .timeLimit(.minutes(1)))
struct LinearPlanTests {
    @Test("In linear light no library reduces, because all average coded samples")
    func linearLight() {
        var settings = ProcessingSettings()
        settings.isLinear = true
        let rows = Planner(settings: settings)
        settings.engine = .libvips
        let vips = Planner(settings: settings)
        for width in [4032, 6160, 24_640] {
            let header = AttachmentHeader.fixture(width: width, height: width / 2)
            #expect(rows.plan(header).loadShrink == 1 && vips.plan(header).loadShrink == 1)
        }
        var webp = AttachmentHeader.fixture(width: 4000, height: 3000)
        webp.coding = WebPCoding.lossy
        let plan = vips.plan(webp)
        #expect(plan.loadScale == 1 && plan.box == PixelSize(width: 2, height: 2))
        #expect(vips.requestedSize(of: plan) == PixelSize(width: 4000, height: 3000))
        let banner = Planner.bannerPlan(
            of: .fixture(width: 1320, height: 990), side: 264, isLinear: true)
        #expect(banner.loadShrink == 1)
    }

    @Test("Linear light takes more memory, which both engines declare")
    func linearDemand() {
        for engine in [ProcessingSettings.EngineChoice.automatic, .libvips] {
            var settings = ProcessingSettings()
            settings.engine = engine
            let header = AttachmentHeader.fixture(width: 4032, height: 3024)
            let demands = [false, true].map { isLinear in
                settings.isLinear = isLinear
                let planner = Planner(settings: settings)
                return planner.ladder(header).steps[0].demand.total.bytes
            }
            #expect(demands[1] > demands[0] + 300_000)
            #expect(demands[1] < demands[0] + 6_000_000)
        }
    }
}
