import AttachmentFormats
import Foundation
import SampleMedia
import Testing

@Suite("HEIF alpha planes", .timeLimit(.minutes(1)))
struct HEIFAlphaTests {
    @Test("Alpha of another size is scaled to the picture's")
    func scaledAlpha() throws {
        let pieces = try CodedPiece.code([
            CodedPiece.Recipe(isAV1: true, width: 64, height: 64),
            CodedPiece.Recipe(isAV1: true, width: 32, height: 32, chroma: "mono", seed: 1),
        ])
        let colour = try #require(pieces.first { $0.key.chroma == "420" }?.value)
        let alpha = try #require(pieces.first { $0.key.chroma == "mono" }?.value)
        var whole = HEIFWriter.single(alpha)
        whole.addAlpha(alpha)
        var scaled = HEIFWriter.single(colour)
        scaled.addAlpha(alpha)
        let folder = try TemporaryFolder()
        let scratch = ScratchSpace(folder: folder.path, ceiling: 4 << 20)
        func sample(_ writer: HEIFWriter) throws -> HEIFSample {
            let path = folder.path + "/file"
            try Data(writer.bytes).write(to: URL(filePath: path))
            return try HEIFSample(path, scratch: scratch)
        }
        let (small, large) = (try sample(whole), try sample(scaled))
        for y in 0..<64 {
            for x in 0..<64 {
                #expect(
                    large.rows[(y * 64 + x) * 4 + 3] == small.rows[(y / 2 * 32 + x / 2) * 2 + 1])
            }
        }
    }
}
