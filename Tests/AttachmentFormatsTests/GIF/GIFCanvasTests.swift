import AttachmentFormats
import Testing

@Suite("Canvas and colours of a GIF", .timeLimit(.minutes(1)))
struct GIFCanvasTests {
    private let frame = EncodedGIF.Frame(width: 4, height: 3, codeSize: 2)

    @Test("A frame away from the screen's corner is surrounded by black")
    func offset() throws {
        var gif = EncodedGIF(frame, colours: EncodedGIF.distinctColours(4))
        gif.screen = (9, 8)
        (gif.frames[0].left, gif.frames[0].top) = (2, 3)
        gif.backgroundIndex = 1
        let decoded = try DecodedGIF(gif.bytes)
        #expect(decoded.layout == RowLayout(width: 9, height: 8, bands: 3))
        #expect(decoded.pixels == gif.picture(bands: 3))
    }

    @Test("A frame beyond the screen enlarges the canvas")
    func growing() throws {
        var gif = EncodedGIF(frame, colours: EncodedGIF.distinctColours(4))
        gif.screen = (5, 2)
        (gif.frames[0].left, gif.frames[0].top) = (3, 0)
        let decoded = try DecodedGIF(gif.bytes)
        #expect(decoded.layout == RowLayout(width: 7, height: 3, bands: 3))
        #expect(decoded.pixels == gif.picture(bands: 3))
    }

    @Test("The first frame replaces an implausible screen size")
    func incredibleScreens() throws {
        let screens = [
            (640, 480), (640, 512), (800, 600), (1024, 768), (1280, 1024), (1600, 1200), (0, 7),
            (7, 0), (2049, 7), (7, 2049),
        ]
        for screen in screens {
            var gif = EncodedGIF(frame, colours: EncodedGIF.distinctColours(4))
            gif.screen = screen
            #expect(try DecodedGIF(gif.bytes).layout == RowLayout(width: 4, height: 3, bands: 3))
        }
        var gif = EncodedGIF(frame, colours: EncodedGIF.distinctColours(4))
        gif.screen = (2048, 7)
        #expect(try DecodedGIF(gif.bytes).layout == RowLayout(width: 2048, height: 7, bands: 3))
    }

    @Test("A frame without pixels leaves the canvas black")
    func emptyFrame() throws {
        for (width, height) in [(0, 3), (3, 0), (0, 0)] {
            var gif = EncodedGIF(EncodedGIF.Frame(width: width, height: height))
            gif.screen = (5, 4)
            #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
        }
    }

    @Test("Colours are local, else global, else black and white")
    func colourTables() throws {
        var gif = EncodedGIF(frame, colours: EncodedGIF.distinctColours(4))
        gif.frames[0].colours = EncodedGIF.distinctColours(4, seed: 99)
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
        gif.colours = nil
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
        gif.frames[0].colours = nil
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
    }

    @Test("Indices without a colour are blank", arguments: [2, 8, 64])
    func missingColours(count: Int) throws {
        let frame = EncodedGIF.Frame(width: 16, height: 16)
        var gif = EncodedGIF(frame, colours: EncodedGIF.distinctColours(count))
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
        gif.frames[0].transparentIndex = 255
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 4))
    }

    @Test("A transparent index gives transparent black pixels")
    func transparency() throws {
        var gif = EncodedGIF(frame, colours: EncodedGIF.distinctColours(4))
        gif.screen = (6, 6)
        gif.frames[0].transparentIndex = 2
        for isInterlaced in [false, true] {
            gif.frames[0].isInterlaced = isInterlaced
            let decoded = try DecodedGIF(gif.bytes)
            #expect(decoded.layout == RowLayout(width: 6, height: 6, bands: 4))
            #expect(decoded.pixels == gif.picture(bands: 4))
        }
    }

    @Test("The search for a transparent index can be cancelled at every row")
    func cancelledSearch() throws {
        var gif = EncodedGIF(
            EncodedGIF.Frame(width: 40, height: 30, codeSize: 2) { UInt8($0 % 2) },
            colours: EncodedGIF.distinctColours(4))
        gif.frames[0].transparentIndex = 2
        let file = try TemporaryBytes(gif.bytes)
        for calls in [0, 1, 29, 30] {
            var left = calls
            let fault: DecodingFault?
            do throws(DecodingFault) {
                _ = try GIFRows(file.openFile, tolerating: .harmless) {
                    left -= 1
                    return left < 0
                }
                fault = nil
            } catch {
                fault = error
            }
            #expect(fault?.code == (calls < 30 ? .cancelled : nil), "\(calls)")
        }
    }

    @Test(
        "A transparent index that no pixel has leaves the picture opaque", arguments: [false, true])
    func unusedTransparency(isInterlaced: Bool) throws {
        // The last pixel alone has index 3.
        var gif = EncodedGIF(
            EncodedGIF.Frame(width: 40, height: 30, codeSize: 2) { $0 == 1199 ? 3 : UInt8($0 % 2) },
            colours: EncodedGIF.distinctColours(4))
        gif.frames[0].isInterlaced = isInterlaced
        gif.frames[0].transparentIndex = 2
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
        gif.frames[0].transparentIndex = 3
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 4))
        // The screen around the frame is blank, and pixels that are missing are.
        gif.frames[0].transparentIndex = 2
        gif.screen = (41, 30)
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 4))
        gif.screen = nil
        let cut = try DecodedGIF(Array(gif.bytes.dropLast(20)), isTolerant: true)
        #expect(cut.layout.bands == 4)
    }

    @Test(
        "A later frame's transparency matters only if the first frame leaves pixels blank")
    func laterTransparency() throws {
        var second = frame
        second.transparentIndex = 0
        var gif = EncodedGIF(frame, frame, second, colours: EncodedGIF.distinctColours(4))
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
        gif.screen = (6, 6)
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 4))
        gif.frames.removeLast()
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
    }

    @Test("Extensions before the frame are skipped")
    func extensions() throws {
        let long = EncodedGIF.chunked([UInt8](repeating: 0x2C, count: 1000), [255, 1, 80])
        let plainText = [0x21, 0x01, 12] + [UInt8](repeating: 0x3B, count: 12)
        var gif = EncodedGIF(frame, colours: EncodedGIF.distinctColours(4))
        gif.frames[0].transparentIndex = 1
        for place in [\EncodedGIF.extensions, \.frames[0].extensions] {
            var gif = gif
            gif[keyPath: place] =
                [0x21, 0xFE] + long + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8)
                + [3, 1, 0, 0, 0] + plainText + long + [0x21, 0xCE, 0] + long + [0x21, 0xFE, 0]
            #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 4))
        }
        // Of two graphic control extensions, the one with an index applies.
        gif.frames[0].extensions = [0x21, 0xF9, 4, 0, 0, 0, 3, 0]
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 4))
    }
}
