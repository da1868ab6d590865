import AttachmentFormats
import Randomness
import Testing

@Suite("First picture of a GIF", .timeLimit(.minutes(1)))
struct GIFRowsTests {
    @Test(
        "Every pixel is exact, for any code size, row order and sub-blocks",
        arguments: 2...8)
    func codeSizes(codeSize: Int) throws {
        var randomness = SplitMix64(seed: UInt64(codeSize))
        let contents: [(Int) -> UInt8] = [
            { _ in UInt8.random(in: 0...255, using: &randomness) },
            { _ in 1 },
            { UInt8(truncatingIfNeeded: $0 / 7) },
            { UInt8(truncatingIfNeeded: ($0 * $0) >> 9) },
        ]
        for content in contents {
            let frame = EncodedGIF.Frame(
                width: 37, height: 23, codeSize: codeSize, indices: content)
            for chunks in [[255], [1], [2, 3], [254, 1, 17]] {
                for isInterlaced in [false, true] {
                    var gif = EncodedGIF(frame, colours: EncodedGIF.distinctColours(1 << codeSize))
                    gif.frames[0].isInterlaced = isInterlaced
                    gif.frames[0].chunks = chunks
                    let decoded = try DecodedGIF(gif.bytes)
                    #expect(decoded.layout == RowLayout(width: 37, height: 23, bands: 3))
                    #expect(decoded.pixels == gif.picture(bands: 3))
                }
            }
        }
    }

    @Test("Rows of an interlaced picture come in order, at any height")
    func interlaced() throws {
        for height in 1...20 {
            for width in [1, 2, 9] {
                var gif = EncodedGIF(EncodedGIF.Frame(width: width, height: height))
                gif.frames[0].isInterlaced = true
                #expect(
                    try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3),
                    "\(width) × \(height)")
            }
        }
    }

    @Test(
        "A full table may be cleared at once, late or never",
        arguments: [LZWEncoder.Clearing.whenFull, .deferred, .every(3), .every(700)])
    func clearing(_ clearing: LZWEncoder.Clearing) throws {
        var randomness = SplitMix64(seed: 5)
        for codeSize in [2, 8] {
            var gif = EncodedGIF(
                EncodedGIF.Frame(width: 211, height: 97, codeSize: codeSize) { _ in
                    UInt8.random(in: 0...255, using: &randomness)
                })
            gif.frames[0].encoder.clearing = clearing
            for isInterlaced in [false, true] {
                gif.frames[0].isInterlaced = isInterlaced
                #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
            }
        }
    }

    @Test("The first clear code and the end code may be missing")
    func codesLeftOut() throws {
        // Every length of data, so that some end with the last code's byte.
        for width in 1...40 {
            var gif = EncodedGIF(EncodedGIF.Frame(width: width, height: 1))
            gif.frames[0].encoder.clearsFirst = false
            gif.frames[0].encoder.hasEndCode = false
            #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3), "\(width) pixels")
        }
    }

    @Test("Strings of thousands of bytes are exact, in wide rows and in narrow ones")
    func longStrings() throws {
        for (width, height) in [(65_535, 8), (1, 20_000), (4_099, 61)] {
            var frame = EncodedGIF.Frame(width: width, height: height, codeSize: 2) { _ in 3 }
            frame.indices[width * height - 1] = 1
            frame.indices[width * height / 2] = 2
            let gif = EncodedGIF(frame, colours: EncodedGIF.distinctColours(4))
            let decoded = try DecodedGIF(gif.bytes)
            #expect(decoded.pixels == gif.picture(bands: 3), "\(width) × \(height)")
        }
    }

    @Test("Clear codes may follow each other")
    func repeatedClearing() throws {
        var gif = EncodedGIF(EncodedGIF.Frame(width: 2, height: 1, codeSize: 2) { _ in 2 })
        gif.frames[0].data = LZWEncoder.codes([4, 4, 4, 2, 4, 4, 2, 5], size: 3)
        #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
    }

    @Test("Data after the last pixel are ignored")
    func trailing() throws {
        var gif = EncodedGIF(EncodedGIF.Frame(width: 5, height: 4))
        let whole = gif.picture(bands: 3)
        gif.trailer = Array("garbage".utf8)
        #expect(try DecodedGIF(gif.bytes).pixels == whole)
        // An illegal code, and the pixels of a second picture.
        gif = EncodedGIF(EncodedGIF.Frame(width: 2, height: 1, codeSize: 2) { _ in 1 })
        for codes in [[4, 1, 6, 7, 7], [4, 1, 1, 3, 3, 3, 5]] {
            gif.frames[0].data = LZWEncoder.codes(codes, size: 3)
            gif.frames[0].indices = [1, 1]
            #expect(try DecodedGIF(gif.bytes).pixels == gif.picture(bands: 3))
        }
    }

    @Test("Every call after the last row or a fault is a fault")
    func beyondTheEnd() throws {
        let bytes = EncodedGIF(EncodedGIF.Frame(width: 3, height: 1)).bytes
        let file = try TemporaryBytes(bytes)
        let rows = try GIFRows(
            file.openFile, tolerating: .harmless)
        var row = [UInt8](repeating: 0, count: rows.layout.rowBytes)
        try row.withUnsafeMutableBytes { try rows.readRow(into: $0) }
        for _ in 0..<2 {
            #expect(throws: DecodingFault.self) {
                try row.withUnsafeMutableBytes { try rows.readRow(into: $0) }
            }
        }
    }
}
