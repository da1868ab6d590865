import AttachmentFormats
import Testing

@Suite("Quantisation tables of JPEG")
struct JPEGQuantisationTests {
    @Test("No step falls as the quality falls", arguments: JPEGQuantisation.allCases)
    func monotonicity(family: JPEGQuantisation) {
        var finer = family.tables(quality: 100)
        #expect(finer.luma == Array(repeating: 1, count: 64) && finer.chroma == finer.luma)
        for quality in (1..<100).reversed() {
            let tables = family.tables(quality: quality)
            #expect(zip(tables.luma, finer.luma).allSatisfy(>=), "\(quality)")
            #expect(zip(tables.chroma, finer.chroma).allSatisfy(>=), "\(quality)")
            finer = tables
        }
        #expect(finer.luma.allSatisfy { $0 == 255 })
    }

    @Test("Standard tables are those of the standard at 50")
    func standard() {
        let tables = JPEGQuantisation.standard.tables(quality: 50)
        // T.81, tables K.1 and K.2: first and last row.
        #expect(tables.luma.prefix(8) == [16, 11, 10, 16, 24, 40, 51, 61])
        #expect(tables.luma.suffix(8) == [72, 92, 95, 98, 112, 100, 103, 99])
        #expect(tables.chroma.prefix(8) == [17, 18, 24, 47, 99, 99, 99, 99])
    }

    @Test(
        "Our tables are recognised with their quality",
        arguments: [JPEGQuantisation.perceptual, .byRate])
    func recognition(family: JPEGQuantisation) throws {
        for quality in 1...99 {
            let luma = family.tables(quality: quality).luma
            let found = try #require(JPEGQuantisation.ours(zigzag(luma)))
            // Rounded steps of a quality may be those of the other family.
            #expect(found.family.tables(quality: found.quality).luma == luma)
            if family == .perceptual, 5...90 ~= quality {
                #expect(found.family == family && found.quality == quality, "\(quality)")
            }
        }
    }

    @Test("Tables of other encoders are none of ours", arguments: [10, 50, 80, 95])
    func others(quality: Int) {
        let luma = JPEGQuantisation.standard.tables(quality: quality).luma
        #expect(JPEGQuantisation.ours(zigzag(luma)) == nil)
    }

    /// Steps in the order of T.81, figure A.6.
    private func zigzag(_ steps: [UInt8]) -> [Int] {
        (0..<15).flatMap { diagonal -> [Int] in
            let places = (max(0, diagonal - 7)...min(7, diagonal)).map { ($0, diagonal - $0) }
            let ordered = diagonal % 2 == 0 ? places.reversed() : places
            return ordered.map { Int(steps[8 * $0.0 + $0.1]) }
        }
    }
}
