@testable import AttachmentFormats
import Foundation
import Testing

@Suite("Rows of decoded frames", .timeLimit(.minutes(1)))
struct FrameRowsTests {
    private static let recipes = [
        FrameRecipe(width: 1201, height: 5), FrameRecipe(width: 1201, height: 5, chroma: "444"),
        FrameRecipe(width: 1201, height: 5, chroma: "422", bits: 10),
        FrameRecipe(width: 1201, height: 5, chroma: "mono"),
    ]
    private static let pieces = Result { try FramePiece.code(recipes) }

    @Test("Parts of a row from even and odd columns equal the same columns of the whole row")
    func parts() throws {
        for recipe in Self.recipes {
            let frame = try #require(Self.pieces.get()[recipe]).decode()
            let pixel = frame.bands * frame.bytesPerSample
            let rows = frame.rows
            for columns in [0..<1, 1..<2, 0..<1201, 7..<1200, 511..<514, 600..<601, 1200..<1201] {
                for y in [4, 0, 3] {
                    var part = [UInt8](repeating: 0, count: columns.count * pixel)
                    part.withUnsafeMutableBytes { frame.readRow(y, columns: columns, into: $0) }
                    let start = (y * 1201 + columns.lowerBound) * pixel
                    #expect(part == Array(rows[start..<start + part.count]))
                }
            }
        }
    }

    @Test("Luma is available in 8 and 16 bits for any coded depth")
    func luma() throws {
        let shallow = try #require(Self.pieces.get()[Self.recipes[3]]).decode()
        let deep = try #require(Self.pieces.get()[Self.recipes[2]]).decode()
        for x in stride(from: 0, to: 1200, by: 13) {
            let code = Self.luma(of: shallow, x, UInt8.self)
            #expect(Self.luma(of: shallow, x, UInt16.self) == UInt16(code) * 257)
            let deepCode = Self.luma(of: deep, x, UInt16.self)
            #expect(deepCode & 0x3F == 0)
            #expect(Self.luma(of: deep, x, UInt8.self) == UInt8(deepCode >> 8))
        }
    }

    private static func luma<Sample: FixedWidthInteger>(
        of frame: DecodedFrame, _ x: Int, _ type: Sample.Type
    ) -> Sample {
        var sample: Sample = 0
        withUnsafeMutableBytes(of: &sample) {
            frame.readLuma(
                2, columns: x..<x + 1, bytesPerSample: MemoryLayout<Sample>.size, into: $0)
        }
        return sample
    }

    @Test("A frame outlives its decoder and frees its scratch space at the end")
    func lifetime() throws {
        let scratch = ScratchSpace(folder: NSTemporaryDirectory(), ceiling: 16 << 20)
        let recipe = FrameRecipe(
            isAV1: false, width: 512, height: 512, options: ["x265:sao=1"], isNoise: false)
        let piece = try #require(try FramePiece.code([recipe])[recipe])
        do {
            let frame = try piece.decode(scratch: scratch)
            #expect(scratch.liveBytes >= 512 * 512 * 3 / 2)
            let first = frame.rows
            let again = try piece.decode(scratch: scratch)
            let isEqual = again.rows == first && frame.rows == first
            #expect(isEqual)
        }
        #expect(scratch.liveBytes == 0)
    }
}
