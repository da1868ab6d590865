@testable import AttachmentFormats
import Testing

@Suite("GIF blocks", .timeLimit(.minutes(1)))
struct GIFBlocksTests {
    @Test("Every frame is found with its graphic control")
    func frames() throws {
        var gif = EncodedGIF(
            EncodedGIF.Frame(width: 30, height: 20), EncodedGIF.Frame(width: 3, height: 2),
            EncodedGIF.Frame(width: 5, height: 1), EncodedGIF.Frame(width: 1, height: 1))
        (gif.frames[1].left, gif.frames[1].top) = (7, 8)
        gif.frames[1].isInterlaced = true
        gif.frames[1].colours = EncodedGIF.distinctColours(4)
        for (index, disposal) in [1, 2, 3, 4].enumerated() {
            gif.frames[index].disposal = UInt8(disposal)
            gif.frames[index].delay = 300 + index
        }
        gif.frames[2].transparentIndex = 9
        gif.frames[3].extensions = [0x21, 0xFE, 2, 0x2C, 0x3B, 0]
        let bytes = gif.bytes
        let file = try TemporaryBytes(bytes)

        var blocks = try GIFBlocks(
            file.openFile, isTolerant: false)
        var disposals: [FrameDisposal.Method] = []
        for (index, expected) in gif.frames.enumerated() {
            let frame = try #require(try blocks.readFrame())
            #expect((frame.width, frame.height) == (expected.width, expected.height))
            #expect((frame.rect.left, frame.rect.top) == (expected.left, expected.top))
            #expect(frame.isInterlaced == expected.isInterlaced)
            #expect((frame.localColours == nil) == (expected.colours == nil))
            #expect(frame.control.transparentIndex == expected.transparentIndex)
            #expect(frame.control.delay == 300 + index)
            disposals.append(frame.control.disposal)

            // A frame's data can be decoded from its description alone.
            let rows = GIFFrameRows(
                file.openFile, frame: frame, isTolerant: false)
            var indices: [UInt8] = []
            for _ in 0..<frame.height { indices += try rows.next() }
            #expect(indices == expected.indices)
            #expect(try rows.next().isEmpty)
            #expect(try blocks.skipSubBlocks())
        }
        #expect(disposals == [.keep, .restoreBackground, .restorePrevious, .restorePrevious])
        let none = try blocks.readFrame()
        #expect(none == nil)
    }

    @Test("After a frame, the end of the file or an unknown block counts as the trailer")
    func trailer() throws {
        let gif = EncodedGIF(
            EncodedGIF.Frame(width: 3, height: 2), EncodedGIF.Frame(width: 3, height: 2))
        let whole = gif.bytes
        #expect(whole.last == 0x3B)
        let untold = Array(whole.dropLast())
        let cases: [([UInt8], Set<HarmlessFault>)] = [
            ([0x3B], []), ([], [.missingEnd]), ([0, 0], [.strayBytes, .missingEnd]),
            ([0, 0x3B], [.strayBytes]), (Array("trailing".utf8), [.missingEnd]),
        ]
        for (end, faults) in cases {
            let file = try TemporaryBytes(untold + end)
            var blocks = try GIFBlocks(
                file.openFile, isTolerant: false)
            for _ in gif.frames {
                let frame = try blocks.readFrame()
                #expect(frame?.width == 3)
                #expect(try blocks.skipSubBlocks())
            }
            let none = try blocks.readFrame()
            #expect(none == nil)
            #expect(blocks.faults == faults)
        }
    }

    @Test("Every row of an interlaced frame is in exactly one pass")
    func passes() {
        for height in 0...40 {
            var counts = [Int](repeating: 0, count: GIFInterlace.passCount)
            for row in 0..<height { counts[GIFInterlace.pass(of: row)] += 1 }
            #expect(counts == counts.indices.map { GIFInterlace.rows(in: $0, of: height) })
        }
    }
}
