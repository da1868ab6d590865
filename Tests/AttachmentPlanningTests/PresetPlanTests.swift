import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Testing

@Suite("Preset plans", .timeLimit(.minutes(1))) struct PresetPlanTests {
    private func planner(
        _ presets: PresetSelection, _ change: (inout ProcessingSettings) -> Void = { _ in }
    ) -> Planner {
        var settings = ProcessingSettings()
        settings.presets = presets
        change(&settings)
        return Planner(settings: settings)
    }

    private func header(_ width: Int, _ height: Int) -> AttachmentHeader {
        AttachmentHeader(
            JPEGCoding(.baseline), storedSize: PixelSize(width: width, height: height),
            colourModel: .rgb, fileBytes: .mebibytes(2))
    }

    private static let all = PresetSelection(Preset.allCases)

    @Test("Names are read in any order, once each, and content includes the banner")
    func selection() throws {
        let parsed = try #require(PresetSelection(parsing: "web-push, content,banner,web-push"))
        #expect(parsed == [.content, .webPush] && parsed.description == "content,web-push")
        #expect(parsed.roles == [.expanded, .banner, .webPush] && parsed.outputs == 4)
        #expect(PresetSelection(parsing: "banner")?.roles == [.banner])
        for text in ["", ",", "avatar,", "Avatar", "expanded"] {
            #expect(PresetSelection(parsing: text) == nil, "\(text)")
        }
        #expect(Set(Preset.allCases.map(\.role)).count == Preset.allCases.count)
        for preset in Preset.allCases where preset != .content {
            #expect(preset.role.rawValue == preset.rawValue)
        }
    }

    @Test("No preset is an error that names the field")
    func none() {
        var settings = ProcessingSettings()
        settings.presets = []
        let error = #expect(throws: SettingsError.self) { try settings.validate() }
        #expect(error?.field == "presets")
    }

    @Test("The ceiling of a file is the lower one of settings and surface")
    func bytes() {
        var settings = ProcessingSettings()
        #expect(settings.maximumBytes(of: .androidBigPicture) == .megabytes(1))
        #expect(settings.maximumBytes(of: .avatar) == .megabytes(10))
        #expect(settings.maximumBytes(of: .expanded) == .megabytes(10))
        settings.maximumBytes = ByteCount(500_000)
        #expect(settings.maximumBytes(of: .androidBigPicture) == ByteCount(500_000))
    }

    @Test(
        "Decoded pictures of widgets and Live Activities leave room in a widget extension's memory")
    func extensionMemory() throws {
        // 30 MB (Apple Developer Forums 713561), of which a picture may take a tenth.
        let share = ByteCount.megabytes(3)
        for preset in [Preset.widget, .liveActivity] {
            let surface = try #require(preset.surface)
            #expect(surface.maximumPixels * 4 <= share.bytes, "\(preset)")
        }
    }

    @Test(
        "Each preset has the size of its surface",
        arguments: [
            (Preset.avatar, (240, 180), (180, 180)), (.liveActivity, (640, 480), (640, 480)),
            (.widget, (978, 734), (978, 734)), (.androidBigPicture, (1350, 1013), (1350, 675)),
            (.androidLargeIcon, (341, 256), (256, 256)), (.webPush, (1800, 1350), (1800, 900)),
        ])
    func sizes(preset: Preset, whole: (Int, Int), size: (Int, Int)) throws {
        let plan = planner([preset]).plan(header(4032, 3024))
        let rendition = try #require(plan.renditions.first)
        #expect(plan.renditions.count == 1 && rendition.preset == preset)
        #expect(rendition.size == PixelSize(width: size.0, height: size.1))
        #expect(rendition.requestedSize == rendition.size)
        #expect(plan.reducedSize.width == whole.0)
        // Half a pixel may be rounded either way.
        #expect(abs(plan.reducedSize.height - whole.1) <= 1)
        #expect(plan.treatment == .encode && plan.description.contains(preset.rawValue))
    }

    @Test("Nothing is enlarged, and every surface has room for its rendition")
    func room() {
        let sides = [1, 2, 63, 180, 257, 900, 1801, 12_000, 100_000]
        for width in sides {
            for height in sides {
                let plan = planner(Self.all).plan(header(width, height))
                #expect(plan.renditions.count == 6)
                for rendition in plan.renditions {
                    let (size, surface) = (rendition.size, rendition.surface)
                    #expect(size.width <= surface.size.width && size.width <= width)
                    #expect(size.height <= surface.size.height && size.height <= height)
                    #expect(size.pixelCount <= surface.maximumPixels)
                    #expect(size.width >= 1 && size.height >= 1)
                    let part = plan.reducedSize
                    #expect(size.width <= part.width && size.height <= part.height)
                }
            }
        }
    }

    @Test("Presets leave the plan of the content extension as it was")
    func content() {
        for header in LadderTests.headers {
            let alone = planner(.content).ladder(header)
            #expect(alone == Planner(settings: ProcessingSettings()).ladder(header))
            let steps = planner([.content, .avatar]).ladder(header).steps
            #expect(steps.first?.plan.expandedSize == alone.steps.first?.plan.expandedSize)
            #expect(steps.first?.plan.reducedSize == alone.steps.first?.plan.reducedSize)
        }
    }

    @Test("A larger surface makes the expanded rendition from its decoded picture")
    func larger() {
        let plan = planner([.content, .webPush]).plan(header(4032, 3024))
        #expect(plan.reducedSize == PixelSize(width: 1800, height: 1350))
        #expect(plan.expandedSize == PixelSize(width: 1320, height: 990))
        #expect(plan.isReducedTwice && !plan.isCropped)
    }

    @Test("Renditions of the same decoded picture never have a smaller prediction")
    func demand() throws {
        for original in LadderTests.headers {
            var header = original
            header.storedSize = PixelSize(width: 4000, height: 3000)
            var previous = ByteCount(0)
            for others: [Preset] in [[], [.avatar], [.avatar, .liveActivity, .androidLargeIcon]] {
                let presets = PresetSelection([.content] + others)
                let step = try #require(planner(presets).ladder(header).steps.first)
                #expect(step.plan.renditions.count == others.count)
                #expect(step.demand.total >= previous, "\(presets) \(header.coding.name)")
                previous = step.demand.total
            }
        }
    }

    @Test("A reduced rung keeps the sizes of small renditions, and says which ones it reduces")
    func reduced() throws {
        let steps = planner([.content, .avatar, .webPush]).ladder(header(8000, 6000)).steps
        let step = try #require(steps.first { $0.plan.rung == .reduced && $0.plan.reduction < 0.5 })
        let avatar = try #require(step.plan.renditions.first)
        #expect(avatar.size == PixelSize(width: 180, height: 180))
        let push = try #require(step.plan.renditions.last)
        #expect(push.size.width < push.requestedSize.width)
        #expect(push.requestedSize == PixelSize(width: 1800, height: 900))
    }

    @Test("No header causes an overflow with all presets")
    func overflow() {
        for size in [
            PixelSize(width: .max, height: .max), PixelSize(width: 1, height: .max),
            PixelSize(width: .max, height: 1),
        ] {
            for original in LadderTests.headers {
                var header = original
                header.storedSize = size
                let ladder = planner(Self.all).ladder(header)
                #expect(ladder.steps.allSatisfy { $0.demand.total > MemoryDemand.warmUp })
            }
        }
    }

    @Test("A larger cap never chooses a worse rung")
    func moreCap() {
        for original in LadderTests.headers {
            var header = original
            header.storedSize = PixelSize(width: 8000, height: 4501)
            let ladder = planner(Self.all).ladder(header)
            var previous: Int?
            for cap in stride(from: 1, through: 1200, by: 29) {
                let budget = MemoryBudget(
                    cap: MemoryCap(.mebibytes(cap)), baseline: ByteCount(5_500_000))
                let chosen = ladder.step(within: budget).flatMap { step in
                    ladder.steps.firstIndex(of: step)
                }
                if let previous { #expect(chosen.map { $0 <= previous } == true) }
                previous = chosen ?? previous
            }
            #expect(previous != nil)
        }
    }
}
