import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Testing

@Suite("Memory of a second thread")
struct SecondThreadTests {
    private static func header(
        _ coding: any PictureCoding, _ width: Int = 4032, _ height: Int = 3024,
        colourModel: ColourModel = .rgb, hasAlpha: Bool = false
    ) -> AttachmentHeader {
        AttachmentHeader(
            coding, storedSize: PixelSize(width: width, height: height), orientation: .upright,
            colourModel: colourModel, hasAlpha: hasAlpha, bitsPerSample: 8, profileBytes: 0,
            fileBytes: ByteCount(3_000_000))
    }

    private static let tile = PixelSize(width: 512, height: 512)
    private static let grid = HEIFCoding(isAV1: false, .grid(tile: tile), frames: [])
    private static let avifGrid = HEIFCoding(isAV1: true, .grid(tile: tile), frames: [])

    private static func demand(
        _ header: AttachmentHeader, placesBlocks: Bool = true,
        engine: ProcessingSettings.EngineChoice = .automatic
    ) -> Int? {
        var settings = ProcessingSettings()
        settings.engine = engine
        let planner = Planner(settings: settings, placesLargeBlocks: placesBlocks)
        return planner.secondThreads(of: planner.plan(header)).first?.demand.bytes
    }

    @Test("A second tile takes what its decoder takes, with the deep stack of AV1")
    func tiles() throws {
        let (hevc, av1) = (
            try #require(Self.demand(Self.header(Self.grid))),
            try #require(Self.demand(Self.header(Self.avifGrid)))
        )
        #expect((600_000...1_400_000).contains(hevc))
        #expect((1_000_000...2_100_000).contains(av1))
        // More tiles take no more at once.
        #expect(try #require(Self.demand(Self.header(Self.grid, 8064, 6048))) <= 1_400_000)
    }

    @Test("Rows ahead take three buffers, each of a row at least")
    func rows() throws {
        let single = HEIFCoding(isAV1: false, .single, frames: [])
        for coding in [JPEGCoding(.baseline), PNGCoding(), WebPCoding.lossless, single]
            as [any PictureCoding]
        {
            let narrow = try #require(Self.demand(Self.header(coding)))
            #expect((260_000...300_000).contains(narrow))
        }
        // libwebp filters on a thread of its own, but not beside alpha.
        let lossy = try #require(Self.demand(Self.header(WebPCoding.lossy)))
        #expect((680_000...760_000).contains(lossy))
        let besideAlpha = try #require(Self.demand(Self.header(WebPCoding.lossy, hasAlpha: true)))
        #expect((260_000...300_000).contains(besideAlpha))
        let wide = try #require(Self.demand(Self.header(PNGCoding(), 100_000, 100)))
        #expect(wide >= 3 * 300_000 && wide < 3 * 310_000 + 80_000)
    }

    @Test("Two decoders of groups take their buffers, or rows are decoded ahead")
    func groups() throws {
        func threads(
            interval: Int, colourModel: ColourModel = .rgb
        ) -> [(thread: SecondThread, demand: ByteCount)] {
            let planner = Planner(settings: ProcessingSettings(), placesLargeBlocks: true)
            return planner.secondThreads(
                of: planner.plan(
                    Self.header(
                        JPEGCoding(.baseline, restartInterval: interval),
                        colourModel: colourModel)))
        }
        // Units of 16 by 16 pixels, 252 in a row: a group is one row, or three.
        for interval in [1, 126, 252] {
            let ways = threads(interval: interval)
            #expect(ways.map(\.thread) == [.groups, .rows])
            #expect((520_000...600_000).contains(ways[0].demand.bytes))
            #expect(ways[1].demand < ways[0].demand)
        }
        #expect(threads(interval: 3 * 252)[0].demand.bytes > 1_200_000)
        // Groups of 251 rows and of 32 rows are too long.
        #expect(threads(interval: 251).map(\.thread) == [.rows])
        #expect(threads(interval: 32 * 252).map(\.thread) == [.rows])
        #expect(threads(interval: 0).map(\.thread) == [.rows])
        #expect(threads(interval: 252, colourModel: .cmyk).isEmpty)
    }

    @Test("Without the engine of rows, or without files for large blocks, there is none")
    func none() {
        #expect(Self.demand(Self.header(Self.grid), placesBlocks: false) == nil)
        #expect(Self.demand(Self.header(Self.grid), engine: .libvips) == nil)
        #expect(Self.demand(Self.header(JPEGCoding(.baseline), colourModel: .cmyk)) == nil)
    }

    @Test("Sizes of hostile headers give a demand that no budget holds, or none")
    func extremes() {
        let side = 1 << 31
        _ = Self.demand(Self.header(PNGCoding(), side, side))
        let tile = PixelSize(width: side / 2, height: side / 2)
        let large = HEIFCoding(isAV1: false, .grid(tile: tile), frames: [])
        #expect(Self.demand(Self.header(large, side, side)) ?? .max > 1_000_000)
    }
}
