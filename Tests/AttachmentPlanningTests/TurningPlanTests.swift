import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Testing

@Suite("Plans that turn without loss")
struct TurningPlanTests {
    private let planner = Planner(settings: ProcessingSettings())

    @Test("A JPEG that keeps its size is turned without loss; any single fault makes it encoded")
    func treatmentOfOrientation() {
        var turned = AttachmentHeader.fixture(width: 640, height: 480)
        turned.orientation = .rotated90
        for process in [JPEGCoding.Process.baseline, .progressive, .nonInterleaved] {
            turned.coding = JPEGCoding(process)
            #expect(planner.plan(turned).treatment == .turn)
        }
        #expect(planner.plan(turned).description.hasSuffix("turned without loss"))
        var settings = planner.settings
        settings.engine = .libvips
        #expect(Planner(settings: settings).plan(turned).treatment == .encode)
        settings.engine = .automatic
        // The coefficients take 0.92 MB, and the banner's picture at most as much.
        for (room, treatment) in [(3_000_000, Plan.Treatment.turn), (0, .turn)] {
            settings.maximumScratchBytes = ByteCount(room)
            #expect(Planner(settings: settings).plan(turned).treatment == treatment)
        }
        let faults: [(String, (inout AttachmentHeader) -> Void)] = [
            ("arithmetic", { $0.coding = JPEGCoding(.arithmetic) }),
            ("upright", { $0.orientation = .upright }),
            ("refused by a stricter decoder", { $0.mustBeEncoded = true }),
            ("profile", { $0.profileBytes = 3144 }),
            ("inks", { $0.colourModel = .cmyk }),
            ("12 bits", { $0.bitsPerSample = 12 }),
            ("over the byte limit", { $0.fileBytes = .megabytes(11) }),
            ("too wide", { $0.storedSize = PixelSize(width: 16, height: 1328) }),
            ("a block that is not whole", { $0.storedSize = PixelSize(width: 640, height: 472) }),
            ("another type", { $0.coding = WebPCoding.lossy }),
        ]
        for (name, fault) in faults {
            var header = turned
            fault(&header)
            #expect(planner.plan(header).treatment != .turn, "\(name)")
        }
    }

    @Test("Below the plan that turns is one that encodes at full size, without scratch for less")
    func ladderOfOrientation() throws {
        var header = AttachmentHeader.fixture(width: 1280, height: 960)
        header.orientation = .rotated90
        var settings = planner.settings
        for room in [0, settings.maximumScratchBytes.bytes] {
            settings.maximumScratchBytes = ByteCount(room)
            let steps = Planner(settings: settings).ladder(header).steps
            #expect(steps[0].plan.treatment == .turn)
            #expect(steps.dropFirst().allSatisfy { $0.plan.treatment == .encode })
            #expect(steps[1].plan.expandedSize == steps[0].plan.expandedSize)
            #expect(steps[1].demand.total <= steps[0].demand.total)
            // The coefficients of 4:2:0 take three bytes a pixel.
            let held = steps[0].demand.total.bytes - steps[1].demand.total.bytes
            #expect(room > 0 ? held < 1_000_000 : held > 1_000_000)
        }
    }
}
