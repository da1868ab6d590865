import AttachmentFormats
import Testing

@Suite("Damaged GIF", .timeLimit(.minutes(1)))
struct GIFDamageTests {
    @Test("Truncated data are a fault, or leave the rest transparent", arguments: [false, true])
    func truncated(isInterlaced: Bool) throws {
        var gif = EncodedGIF(EncodedGIF.Frame(width: 8, height: 32))
        gif.frames[0].isInterlaced = isInterlaced
        gif.frames[0].chunks = [5]
        let bytes = Array(gif.bytes.dropLast(100))
        let fault = try DecodedGIF.fault(bytes)
        #expect(fault?.code == .truncated)
        #expect(fault?.offset ?? 0 > 781 && fault?.offset ?? .max <= bytes.count)

        let decoded = try DecodedGIF(bytes, isTolerant: true)
        #expect(decoded.layout == RowLayout(width: 8, height: 32, bands: 4))
        let blank = try checkDrawnOrBlank(decoded, gif.picture(bands: 4))
        #expect(blank > 50 && blank < 150)
        // Data missing at the end are the last rows in file order.
        let last = Array(decoded.pixels.suffix(8 * 4))
        #expect(last == [UInt8](repeating: 0, count: 8 * 4))
    }

    @Test("Data that end early are a fault, or leave the rest black")
    func short() throws {
        for endCode in [true, false] {
            var gif = EncodedGIF(EncodedGIF.Frame(width: 8, height: 8))
            var encoder = gif.frames[0].encoder
            encoder.hasEndCode = endCode
            gif.frames[0].data = encoder.encode(Array(gif.frames[0].indices.prefix(20)))
            #expect(try DecodedGIF.fault(gif.bytes)?.code == .truncated)
            let decoded = try DecodedGIF(gif.bytes, isTolerant: true)
            #expect(try checkDrawnOrBlank(decoded, gif.picture(bands: 3)) == 44)
        }
    }

    @Test("An undefined code is a fault, or ends the picture")
    func illegalCodes() throws {
        // Codes of three bits: 4 clears, 6 is the first string, and refers to itself in `4 1 6`.
        for (codes, drawn) in [([4, 1, 7], 1), ([4, 6], 0), ([4, 1, 6, 4, 6], 3)] {
            var gif = EncodedGIF(EncodedGIF.Frame(width: 8, height: 1, codeSize: 2) { _ in 1 })
            gif.frames[0].data = LZWEncoder.codes(codes + [0, 0, 0, 0, 0, 0, 0, 0], size: 3)
            let fault = try DecodedGIF.fault(gif.bytes)
            #expect(fault?.code == .corrupt)
            let decoded = try DecodedGIF(gif.bytes, isTolerant: true)
            #expect(try checkDrawnOrBlank(decoded, gif.picture(bands: 3)) == 8 - drawn)
        }
    }

    @Test("Code sizes outside the specification are read as in libnsgif, up to codes of 12 bits")
    func codeSizes() throws {
        for codeSize in [0, 1, 9, 10, 11, 12, 13, 255] {
            var gif = EncodedGIF(EncodedGIF.Frame(width: 2, height: 2) { _ in 0 })
            gif.frames[0].encoder = LZWEncoder(minimumCodeSize: codeSize)
            let clear = codeSize < 12 ? 1 << codeSize : 0
            gif.frames[0].data = LZWEncoder.codes(
                [clear, 0, 0, 0, 0], size: min(codeSize, 11) + 1)
            for isTolerant in [false, true] {
                if codeSize < 12 {
                    let decoded = try DecodedGIF(gif.bytes, isTolerant: isTolerant)
                    #expect(decoded.pixels == gif.picture(bands: 3))
                } else {
                    let fault = try DecodedGIF.fault(gif.bytes, isTolerant: isTolerant)
                    #expect(fault?.code == .corrupt)
                }
            }
        }
    }

    @Test("A file that is not a GIF or has no picture is a fault, even if tolerant")
    func noPicture() throws {
        let gif = EncodedGIF(EncodedGIF.Frame(width: 2, height: 2))
        let head = Array(gif.bytes.prefix(781))
        let files: [([UInt8], DecodingFault.Code)] = [
            ([], .truncated), (Array("GIF89a".utf8), .truncated), (Array("PNG89a".utf8), .corrupt),
            (head, .truncated), (head + [0x3B], .corrupt), (head + [0x42], .corrupt),
            (head + [0], .truncated),
            (head + [0x21, 0xFE, 3], .truncated), (Array(gif.bytes.prefix(792)), .truncated),
        ]
        for (bytes, code) in files {
            for isTolerant in [false, true] {
                #expect(try DecodedGIF.fault(bytes, isTolerant: isTolerant)?.code == code)
            }
        }
    }

    @Test("An unknown version is a fault, or read if tolerant")
    func version() throws {
        let gif = EncodedGIF(EncodedGIF.Frame(width: 2, height: 2))
        var bytes = gif.bytes
        bytes[4] = UInt8(ascii: "7")
        #expect(try DecodedGIF(bytes).pixels == gif.picture(bands: 3))
        bytes[4] = UInt8(ascii: "8")
        #expect(try DecodedGIF.fault(bytes)?.code == .corrupt)
        #expect(try DecodedGIF(bytes, isTolerant: true).pixels == gif.picture(bands: 3))
    }

    @Test("A canvas side above 65,536 pixels is over the ceiling")
    func ceiling() throws {
        var gif = EncodedGIF(EncodedGIF.Frame(width: 2, height: 2))
        gif.screen = (2, 2)
        gif.frames[0].left = 65_535
        #expect(try DecodedGIF.fault(gif.bytes, isTolerant: true)?.code == .limit)
    }

    /// Checks that every pixel is correct or blank, and returns the number of blank pixels.
    private func checkDrawnOrBlank(_ decoded: DecodedGIF, _ expected: [UInt8]) throws -> Int {
        try #require(decoded.pixels.count == expected.count)
        let bands = decoded.layout.bands
        var blank = 0
        for place in stride(from: 0, to: expected.count, by: bands) {
            let pixel = decoded.pixels[place..<place + bands]
            if pixel.allSatisfy({ $0 == 0 }) {
                blank += 1
            } else {
                #expect(pixel == expected[place..<place + bands])
            }
        }
        return blank
    }
}
