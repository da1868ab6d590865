import AttachmentFormats
import Randomness
import Testing

@Suite("Hostile GIF", .timeLimit(.minutes(1)))
struct GIFHostilityTests {
    private static let samples: [EncodedGIF] = [false, true].map { isInterlaced in
        var gif = EncodedGIF(
            EncodedGIF.Frame(width: 13, height: 11, codeSize: 4),
            EncodedGIF.Frame(width: 2, height: 2, codeSize: 2),
            colours: EncodedGIF.distinctColours(16))
        gif.screen = (17, 16)
        (gif.frames[0].left, gif.frames[0].top) = (1, 2)
        gif.frames[0].isInterlaced = isInterlaced
        gif.frames[0].transparentIndex = 3
        gif.frames[0].chunks = [20, 3]
        gif.frames[0].colours = EncodedGIF.distinctColours(8)
        return gif
    }

    @Test("A file truncated at any byte is a fault, or part of the whole picture if tolerated")
    func everyTruncation() throws {
        for gif in Self.samples {
            let bytes = gif.bytes
            let whole = gif.picture(bands: 4)
            for count in 0..<bytes.count {
                let cut = Array(bytes[..<count])
                let fault = try DecodedGIF.fault(cut)
                #expect(fault == nil || fault?.code == .truncated)
                #expect((fault?.offset ?? 0) <= count)
                guard let decoded = try? DecodedGIF(cut, isTolerant: true) else {
                    #expect(fault != nil)
                    continue
                }
                try #require(decoded.pixels.count == whole.count)
                if fault == nil {
                    #expect(decoded.pixels == whole)
                } else {
                    for (ours, theirs) in zip(decoded.pixels, whole) where ours != theirs {
                        #expect(ours == 0)
                    }
                }
            }
        }
    }

    @Test("Any changed byte gives a fault or a picture")
    func everyByte() throws {
        for gif in Self.samples {
            let bytes = gif.bytes
            for place in bytes.indices {
                for value: UInt8 in [0, 1, 0x21, 0x2C, 0x3B, 0x7F, 0xFE, 0xFF, bytes[place] ^ 0x10]
                {
                    var changed = bytes
                    changed[place] = value
                    try readRows(changed)
                }
            }
        }
    }

    @Test("Random data give a fault or a picture", arguments: 0...11)
    func noise(codeSize: Int) throws {
        var randomness = SplitMix64(seed: UInt64(codeSize) + 77)
        for round in 0..<60 {
            var gif = EncodedGIF(EncodedGIF.Frame(width: 50, height: 40))
            gif.frames[0].isInterlaced = round.isMultiple(of: 2)
            gif.frames[0].encoder = LZWEncoder(minimumCodeSize: codeSize)
            gif.frames[0].data = (0..<700).map { _ in
                UInt8.random(in: 0...255, using: &randomness)
            }
            try readRows(gif.bytes)
        }
    }

    @Test("A tiny file with the largest frame opens, and its rows cost no more than others")
    func largest() throws {
        for isInterlaced in [false, true] {
            var gif = EncodedGIF(EncodedGIF.Frame(width: 1, height: 1))
            gif.frames[0].isInterlaced = isInterlaced
            gif.frames[0].data = LZWEncoder.codes([256, 1, 258, 259, 260, 257], size: 9)
            var bytes = gif.bytes
            // After the size: flags, the code size, seven bytes with their length, two terminators.
            let size = bytes.count - 16..<bytes.count - 12
            try #require(bytes[size].elementsEqual([1, 0, 1, 0]))
            for place in size { bytes[place] = 0xFF }
            try readRows(bytes)
        }
    }

    /// Reads up to a thousand rows, strictly and tolerantly; faults are allowed.
    private func readRows(_ bytes: [UInt8]) throws {
        let file = try TemporaryBytes(bytes)
        for isTolerant in [false, true] {
            do throws(DecodingFault) {
                let rows = try GIFRows(
                    file.openFile, tolerating: isTolerant ? .everything : .harmless)
                let row = UnsafeMutableRawBufferPointer.allocate(
                    byteCount: rows.layout.rowBytes, alignment: 1)
                defer { row.deallocate() }
                for _ in 0..<min(1000, rows.layout.height) { try rows.readRow(into: row) }
            } catch {
                #expect(error.offset >= 0 && error.offset <= bytes.count)
                #expect(!error.reason.isEmpty)
            }
        }
    }
}
