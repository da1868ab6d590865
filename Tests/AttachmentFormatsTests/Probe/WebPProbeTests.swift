import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import SampleMedia
import Testing

@Suite("WebP headers") struct WebPProbeTests {
    @Test("Size and coding of the two simple formats")
    func simple() throws {
        let lossy = SampleWebP.file(SampleWebP.lossy(16_383, 1))
        #expect(
            try probe(lossy)
                == AttachmentHeader(
                    WebPCoding.lossy, storedSize: PixelSize(width: 16_383, height: 1),
                    colourModel: .rgb, fileBytes: ByteCount(lossy.count)))
        let lossless = try probe(SampleWebP.file(SampleWebP.lossless(1, 16_384)))
        #expect(lossless.coding.name == "lossless")
        #expect(lossless.storedSize == PixelSize(width: 1, height: 16_384))
        #expect(!lossless.hasAlpha && lossless.coding.subsamplingName == nil)
    }

    @Test("Alpha comes from the flag, its own chunk or the lossless picture")
    func alpha() throws {
        for chunks in [
            SampleWebP.lossless(alpha: true), SampleWebP.extended(0x10) + SampleWebP.lossy(),
            SampleWebP.extended(0) + SampleWebP.chunk("ALPH", [0, 0]) + SampleWebP.lossy(),
        ] { #expect(try probe(SampleWebP.file(chunks)).hasAlpha) }
    }

    @Test("Exif after the picture orients it, with and without its identifier")
    func orientation() throws {
        for name in ["", "Exif\0\0"] {
            let exif = [UInt8].ascii(name) + SampleTIFF.orientation(5).bytes
            let header = try probe(
                SampleWebP.file(
                    SampleWebP.extended(8) + SampleWebP.lossy() + SampleWebP.chunk("EXIF", exif)))
            #expect(header.orientation == .transposed)
            #expect(header.hasMetadata)
        }
    }

    @Test("The profile's length is that of its chunk")
    func profile() throws {
        let profile = SampleWebP.chunk("ICCP", .zeros(301))
        let header = try probe(
            SampleWebP.file(SampleWebP.extended(0x20) + profile + SampleWebP.lossy()))
        #expect(header.profileBytes == 301)
        #expect(header.hasMetadata)
    }

    @Test("Frames are counted, and the first one determines the coding")
    func frames() throws {
        let frames =
            SampleWebP.frame(SampleWebP.chunk("ALPH", [0]) + SampleWebP.lossy(10, 10))
            + SampleWebP.frame(SampleWebP.lossless(9, 9)) + SampleWebP.frame(SampleWebP.lossy(8, 8))
        let header = try probe(
            SampleWebP.file(
                SampleWebP.extended(0x02) + SampleWebP.chunk("ANIM", .zeros(6)) + frames))
        #expect(header.frameCount == 3)
        #expect(header.coding.name == "lossy")
        #expect(header.storedSize == PixelSize(width: 40, height: 30))
        #expect(header.hasAlpha && !header.hasMetadata)
    }

    @Test("An animation with its picture outside any frame has one frame")
    func animationWithoutFrames() throws {
        let chunks = SampleWebP.extended(0x02) + SampleWebP.lossy()
        #expect(try probe(SampleWebP.file(chunks)).frameCount == 1)
    }

    @Test("Frames beyond the read limit have no count", .timeLimit(.minutes(1)))
    func tooManyFrames() throws {
        let frame = SampleWebP.frame(SampleWebP.lossy() + SampleWebP.chunk("XXXX", .zeros(1_000)))
        let frames = (0..<2_200).flatMap { _ in frame }
        let header = try probe(SampleWebP.file(SampleWebP.extended(0x02) + frames))
        #expect(header.frameCount == nil)
        #expect(header.isAnimated)
    }

    @Test("A picture truncated after its header still has its header")
    func cut() throws {
        var bytes = SampleWebP.file(SampleWebP.extended(0) + SampleWebP.lossy())
        bytes.replaceSubrange(34..<38, with: [UInt8].little32(5_000))
        #expect(try probe(bytes).storedSize == PixelSize(width: 40, height: 30))
    }

    @Test("Format violations are corrupt")
    func corrupt() {
        let interFrame = SampleWebP.chunk("VP8 ", [1, 0, 0, 0x9D, 1, 0x2A, 1, 0, 1, 0])
        for chunks in [
            SampleWebP.chunk("ICCP", .zeros(4)), SampleWebP.extended(0), interFrame,
            SampleWebP.chunk("VP8L", [0x2E, 0, 0, 0, 0]), SampleWebP.lossless(version: 1),
            SampleWebP.extended(0, 41, 30) + SampleWebP.lossy(),
            SampleWebP.extended(2) + SampleWebP.chunk("ANIM", .zeros(6)),
            SampleWebP.extended(2, 1 << 24, 1 << 24) + SampleWebP.frame(SampleWebP.lossy()),
        ] {
            // A byte after the container separates its end from the file's end.
            #expect(refusal(of: SampleWebP.file(chunks) + [0])?.code == .corrupt)
        }
        #expect(refusal(of: SampleWebP.file(SampleWebP.lossy(0, 30)))?.code == .dimensions)
    }

    @Test("Nested frames are ignored")
    func nestedFrames() {
        let nested = (0..<5_000).reduce([UInt8]()) { inner, _ in
            inner.count > 60_000 ? inner : SampleWebP.frame(inner)
        }
        let file = SampleWebP.file(SampleWebP.extended(2) + nested) + [0]
        #expect(refusal(of: file)?.code == .corrupt)
    }

    @Test("An animation's duration is that of its frames as viewers play them")
    func timing() throws {
        func frame(_ milliseconds: Int) -> [UInt8] {
            SampleWebP.chunk(
                "ANMF", .zeros(12) + .little24(milliseconds) + [0] + SampleWebP.lossy())
        }
        let chunks =
            SampleWebP.extended(0x02) + SampleWebP.chunk("ANIM", .zeros(4) + .little16(3))
            + frame(250) + frame(0) + frame(40)
        let header = try probe(SampleWebP.file(chunks))
        #expect(header.timing == AnimationTiming(seconds: 0.39, loopCount: 3))
        #expect(try probe(SampleWebP.file(SampleWebP.lossy())).timing == nil)
    }
}
