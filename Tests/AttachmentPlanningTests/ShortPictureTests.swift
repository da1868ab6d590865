import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Testing

@Suite("Demand of pictures with few rows or files with few pixels")
struct ShortPictureTests {
    private let planner = Planner(settings: ProcessingSettings())
    private let tight = MemoryBudget(
        cap: .legacyServiceExtension, baseline: ByteCount(5_900_000), reserve: ByteCount(524_288))

    private func header(
        _ coding: any PictureCoding, _ width: Int, _ height: Int, fileBytes: Int = 100_000
    ) -> AttachmentHeader {
        AttachmentHeader(
            coding, storedSize: PixelSize(width: width, height: height),
            colourModel: coding.format == .gif ? .palette : .rgb, fileBytes: ByteCount(fileBytes))
    }

    @Test("For 65,535 pixels in one row, no more rows count than exist")
    func oneRow() {
        for coding in [GIFCoding(), PNGCoding()] as [any PictureCoding] {
            let row = planner.ladder(header(coding, 65_535, 1))
            #expect(row.step(within: tight)?.plan.reduction == 1, "\(coding)")
            let many = planner.ladder(header(coding, 65_535, 200))
            #expect(many.steps[0].demand.total > row.steps[0].demand.total, "\(coding)")
        }
    }

    @Test("More rows of the same width never take less memory")
    func rows() {
        for coding in [GIFCoding(), PNGCoding(), JPEGCoding(.baseline)] as [any PictureCoding] {
            let totals = (1...64).map { height in
                planner.ladder(header(coding, 5000, height)).steps.last?.demand.total
                    ?? ByteCount(0)
            }
            #expect(totals == totals.sorted(), "\(coding)")
        }
    }

    @Test("The library's memory for an interlaced PNG grows with its file, whatever its pixels")
    func interlacedFile() {
        var settings = ProcessingSettings()
        settings.decoder = .library
        let planner = Planner(settings: settings)
        let demands = [1_000_000, 40_000_000].map { length in
            planner.ladder(header(PNGCoding(isInterlaced: true), 100, 100, fileBytes: length))
                .steps[0].demand
                .total.bytes
        }
        #expect(demands[1] - demands[0] >= 39_000_000)
        let own = Planner(settings: ProcessingSettings()).ladder(
            header(PNGCoding(isInterlaced: true), 100, 100, fileBytes: 40_000_000))
        #expect(own.step(within: tight)?.plan.decoder == .bounded)
    }
}
