import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import SampleMedia
import Testing

@Suite("GIF headers") struct GIFProbeTests {
    @Test("Size and depth of a plain GIF")
    func plain() throws {
        let bytes = SampleGIF().bytes
        #expect(
            try probe(bytes)
                == AttachmentHeader(
                    GIFCoding(), storedSize: PixelSize(width: 40, height: 30),
                    colourModel: .palette, bitsPerSample: 2, fileBytes: ByteCount(bytes.count)))
    }

    @Test(
        "A screen of zero size, or of the size of an old display, is ignored",
        arguments: [(640, 480), (0, 0), (800, 600), (5000, 10)])
    func display(width: Int, height: Int) throws {
        var sample = SampleGIF()
        (sample.width, sample.height) = (width, height)
        let header = try probe(sample.bytes)
        #expect(header.storedSize == PixelSize(width: 40, height: 30))
        #expect(!header.hasAlpha)
    }

    @Test("The first frame's own colour table determines the depth")
    func localTable() throws {
        let blocks = SampleGIF.picture(localBits: 5) + SampleGIF.picture(localBits: 7)
        let header = try probe(SampleGIF(flags: 0, blocks: blocks).bytes)
        #expect(header.bitsPerSample == 5)
        #expect(header.frameCount == 2)
    }

    @Test("A transparent index counts as alpha, and so does a frame smaller than the screen")
    func alpha() throws {
        let opaque = SampleGIF.graphicControl(transparent: false) + SampleGIF.picture()
        let clear = SampleGIF.graphicControl(transparent: true) + SampleGIF.picture()
        let small = SampleGIF.picture(left: 1, width: 39)
        for (blocks, hasAlpha) in [
            (opaque, false), (clear, true), (small, true), (opaque + clear, false),
        ] { #expect(try probe(SampleGIF(blocks: blocks).bytes).hasAlpha == hasAlpha) }
    }

    @Test("A truncated first frame counts as alpha, because missing pixels are blank")
    func cutAlpha() throws {
        let bytes = SampleGIF(blocks: SampleGIF.picture() + SampleGIF.picture()).bytes
        #expect(try !probe(bytes).hasAlpha)
        #expect(try !probe(Array(bytes.dropLast(4))).hasAlpha)
        let first = SampleGIF(blocks: SampleGIF.picture()).bytes
        #expect(try probe(Array(first.dropLast(2))).hasAlpha)
    }

    @Test("Zeros between blocks are padding, and the trailer may be missing")
    func padding() throws {
        let blocks: [UInt8] = [0] + SampleGIF.picture() + [0, 0] + SampleGIF.picture() + [0]
        let bytes = SampleGIF(blocks: blocks).bytes
        for bytes in [bytes, Array(bytes.dropLast())] {
            let header = try probe(bytes)
            #expect(header.frameCount == 2)
            #expect(!header.hasAlpha)
        }
    }

    @Test("Frames are counted to the end, even of a truncated file")
    func frames() throws {
        let blocks =
            SampleGIF.application("NETSCAPE2.0")
            + (0..<3).flatMap { _ in
                SampleGIF.graphicControl(transparent: false) + SampleGIF.picture()
            }
        let bytes = SampleGIF(blocks: blocks).bytes
        let header = try probe(bytes)
        #expect(header.frameCount == 3)
        #expect(!header.hasMetadata)
        #expect(try probe(Array(bytes.dropLast(5))).frameCount == 3)
        #expect(try probe(Array(bytes.dropLast(30))).frameCount == 2)
    }

    @Test("Frames beyond the read limit have no count", .timeLimit(.minutes(1)))
    func tooManyFrames() throws {
        let blocks = (0..<70_000).flatMap { _ in SampleGIF.picture() }
        let header = try probe(SampleGIF(blocks: blocks).bytes)
        #expect(header.frameCount == nil)
        #expect(header.hasMetadata)
    }

    @Test("A first frame beyond the read limit is read to its end", .timeLimit(.minutes(1)))
    func longFirstFrame() throws {
        let block = [255] + [UInt8](repeating: 0x55, count: 255)
        let data = (0..<5_000).flatMap { _ in block }
        let picture: [UInt8] = SampleGIF.picture().dropLast(5) + data
        #expect(picture.count > BoundedReader.defaultBudget.bytes)
        let still = try probe(SampleGIF(blocks: picture + [0]).bytes)
        #expect(still.frameCount == 1)
        #expect(!still.hasMetadata)
        #expect(!still.hasAlpha)
        #expect(try probe(SampleGIF(blocks: picture + [0] + SampleGIF.comment).bytes).hasMetadata)
        let cut = try probe(Array(SampleGIF(blocks: picture).bytes.dropLast(9)))
        #expect(cut.frameCount == 1)
        #expect(cut.hasAlpha)
        let two = try probe(SampleGIF(blocks: picture + [0] + SampleGIF.picture()).bytes)
        #expect(two.frameCount == nil)
        #expect(two.hasMetadata)
    }

    @Test("Comments, plain text and unknown applications are metadata")
    func metadata() throws {
        let text: [UInt8] = [0x21, 0x01, 12] + .zeros(12) + [1, 65, 0]
        for block in [SampleGIF.comment, text, SampleGIF.application("XMP DataXMP")] {
            for blocks in [block + SampleGIF.picture(), SampleGIF.picture() + block] {
                #expect(try probe(SampleGIF(blocks: blocks).bytes).hasMetadata)
            }
        }
        let looping = SampleGIF.application("ANIMEXTS1.0") + SampleGIF.picture()
        #expect(try !probe(SampleGIF(blocks: looping).bytes).hasMetadata)
    }

    @Test("A first frame beyond the screen enlarges it")
    func beyondScreen() throws {
        let blocks = SampleGIF.picture(left: 30, top: 2, width: 30, height: 10)
        let header = try probe(SampleGIF(blocks: blocks).bytes)
        #expect(header.storedSize == PixelSize(width: 60, height: 30))
    }

    @Test("Format violations are corrupt")
    func refusals() {
        for blocks: [UInt8] in [[], [0x42], SampleGIF.comment] {
            #expect(refusal(of: SampleGIF(blocks: blocks).bytes + [0])?.code == .corrupt)
        }
    }

    @Test(
        "An animation's duration is that of its frames as viewers play them"
    )
    func timing() throws {
        func control(_ delay: Int) -> [UInt8] {
            [0x21, 0xF9, 4, 0] + .little16(delay) + [0, 0]
        }
        func netscape(_ count: Int) -> [UInt8] {
            [0x21, 0xFF, 11] + .ascii("NETSCAPE2.0") + [3, 1] + .little16(count) + [0]
        }
        let frames =
            control(20) + SampleGIF.picture() + control(1) + SampleGIF.picture()
            + SampleGIF.picture()
        for (blocks, loopCount) in [([], 1), (netscape(0), 0), (netscape(4), 5)] {
            let header = try probe(SampleGIF(blocks: blocks + frames).bytes)
            #expect(header.timing == AnimationTiming(seconds: 0.4, loopCount: loopCount))
        }
        #expect(try probe(SampleGIF(blocks: netscape(0) + SampleGIF.picture()).bytes).timing == nil)
    }
}
