@testable import AttachmentFormats
import Testing

@Suite("Limited-range frames", .timeLimit(.minutes(1)))
struct LimitedRangeTests {
    @Test(
        "Monochrome and identity are expanded to full range, at every depth",
        arguments: [8, 10, 12])
    func expanded(bits: Int) throws {
        let recipes = ["mono", "444"].map { FrameRecipe(chroma: $0, bits: bits) }
        let pieces = try FramePiece.code(recipes)
        for recipe in recipes {
            let piece = try #require(pieces[recipe])
            // With the identity matrix and full range, samples are the codes.
            func samples(isFull: Bool) throws -> [Int] {
                let colours = CodedColours(
                    primaries: 1, transfer: 13, matrix: 0, isFullRange: isFull)
                let rows = try piece.decode(colours).rows
                guard bits > 8 else { return rows.map { Int($0) } }
                return rows.withUnsafeBytes { bytes in
                    bytes.bindMemory(to: UInt16.self).map { Int($0) >> (16 - bits) }
                }
            }
            let (codes, filled) = (try samples(isFull: true), try samples(isFull: false))
            let (step, peak) = (1 << (bits - 8), 1 << bits - 1)
            #expect(codes.count == 67 * 41 * (recipe.chroma == "mono" ? 1 : 3))
            #expect(codes.contains { $0 < 16 * step } && codes.contains { $0 > 235 * step })
            try #require(filled.count == codes.count)
            for (code, sample) in zip(codes, filled) {
                let exact = Double((code - 16 * step) * peak) / Double(219 * step)
                let expected = Int(min(max(exact.rounded(), 0), Double(peak)))
                // Single precision may round a half either way.
                #expect(abs(sample - expected) <= (bits == 8 ? 0 : 1))
            }
        }
    }
}
