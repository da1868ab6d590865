import AttachmentFormats
import Foundation
import Testing

@Suite("Damaged and hostile TIFF", .timeLimit(.minutes(2)))
struct TIFFHostilityTests {
    /// Small files of every layout and coding.
    private static func smallFiles(_ every: Int) throws -> [TIFFSamples.Sample] {
        let lines = TIFFSamples.names.filter { $0.hasPrefix("7x5-") }
        try #require(lines.count > 100)
        return try stride(from: 0, to: lines.count, by: every)
            .map { try TIFFSamples.sample(lines[$0]) }
    }

    @Test("A file truncated anywhere gives a fault or the rows present")
    func truncation() throws {
        for sample in try Self.smallFiles(37) {
            let file = try TemporaryBytes(sample.bytes)
            for length in 0..<sample.bytes.count {
                // A complete directory may refer to missing strips.
                if let decoded = try? decodeTIFF(file, length: length) {
                    #expect(decoded.pixels == sample.pixels, "\(sample.name) cut to \(length)")
                }
                if let decoded = try? decodeTIFF(file, length: length, isTolerant: true) {
                    #expect(decoded.pixels.count == sample.pixels.count)
                }
            }
        }
    }

    @Test("Any changed byte gives a fault or a picture")
    func flips() throws {
        let space = ScratchSpace(folder: tiffScratchFolder, ceiling: 1 << 20)
        var pictures = 0
        var faults = 0
        for sample in try Self.smallFiles(97) {
            var bytes = sample.bytes
            for index in bytes.indices {
                for mask: UInt8 in [0xff, 0x01] {
                    bytes[index] ^= mask
                    let file = try TemporaryBytes(bytes)
                    bytes[index] ^= mask
                    do {
                        _ = try decodeTIFF(
                            file, length: bytes.count, isTolerant: index.isMultiple(of: 2),
                            rows: 20, scratch: space)
                        pictures += 1
                    } catch {
                        faults += 1
                    }
                }
            }
        }
        #expect(pictures > 100 && faults > 100)
    }

    @Test(
        "Extreme field values give a fault or a picture, in bounded memory",
        arguments: [1, 5, 7, 8, 32773, 3] as [UInt32])
    func extremes(compression: UInt32) throws {
        let space = ScratchSpace(folder: tiffScratchFolder, ceiling: 1 << 20)
        let tags: [UInt16] = [
            256, 257, 258, 259, 262, 266, 273, 277, 278, 279, 284, 292, 317, 320, 322, 323, 324,
            325, 332, 338, 339, 347, 530, 34675,
        ]
        let values: [[UInt32]] = [
            [0], [1], [7], [255], [65535], [100_000], [0x7fff_ffff], [.max], [0, .max],
            Array(repeating: .max, count: 700),
        ]
        for tag in tags {
            for value in values {
                var tiff = TinyTIFF(width: 20, height: 10, data: Array(repeating: 7, count: 200))
                tiff.tags[259] = [compression]
                tiff.tags[tag] = value
                let bytes = tiff.bytes
                let file = try TemporaryBytes(bytes)
                for isTolerant in [false, true] {
                    _ = try? decodeTIFF(
                        file, length: bytes.count, isTolerant: isTolerant, rows: 40,
                        scratch: space)
                }
            }
        }
        #expect(space.liveBytes == 0)
    }

    @Test("Irrelevant tags are not read, at any number and length")
    func uselessTags() throws {
        var tiff = TinyTIFF(width: 20, height: 10, data: Array(repeating: 7, count: 1 << 20))
        let plain = tiff.bytes
        for tag in 40_000..<41_000 { tiff.tags[UInt16(tag)] = [8] }
        var bytes = tiff.bytes
        // Each of these entries claims the whole file.
        let directory = bytes.count - 4 - 12 * tiff.tags.count
        for entry in 0..<tiff.tags.count where bytes[directory + 12 * entry + 1] >= 0x9c {
            bytes.replaceSubrange(
                directory + 12 * entry + 4..<directory + 12 * entry + 8, with: [0, 0, 4, 0])
        }
        let before = try residentBytes()
        let decoded = try decodeTIFF(TemporaryBytes(bytes), length: bytes.count)
        // libtiff alone would have read 1 GB.
        #expect(try residentBytes() - before < 64 << 20)
        #expect(
            try decoded.pixels == decodeTIFF(TemporaryBytes(plain), length: plain.count).pixels)
    }

    @Test("Decoding stops when strips that share bytes were read too often")
    func sharedBytes() throws {
        let count = 100_000
        var tiff = TinyTIFF(
            width: 1, height: UInt32(count), data: Array(repeating: 0, count: 1 << 20))
        tiff.tags[259] = [32773]
        tiff.tags[278] = [1]
        tiff.tags[273] = Array(repeating: 8, count: count)
        tiff.tags[279] = Array(repeating: 1 << 20, count: count)
        let bytes = tiff.bytes
        let file = try TemporaryBytes(bytes)
        for isTolerant in [false, true] {
            let fault = #expect(throws: DecodingFault.self) {
                try decodeTIFF(file, length: bytes.count, isTolerant: isTolerant)
            }
            #expect(fault?.code == .limit)
        }
        // Missing bytes count as well, because they are padded.
        tiff.tags[273] = Array(repeating: 1 << 30, count: count)
        let missing = tiff.bytes
        let fault = #expect(throws: DecodingFault.self) {
            try decodeTIFF(TemporaryBytes(missing), length: missing.count, isTolerant: true)
        }
        #expect(fault?.code == .limit)
    }

    @Test(
        "Too many strips and an oversized profile are faults")
    func ceilings() throws {
        var tiff = TinyTIFF(width: 1, height: 1_000_000, data: [1, 2, 3])
        tiff.tags[278] = [1]
        let many = tiff.bytes
        let fault = #expect(throws: DecodingFault.self) {
            try decodeTIFF(TemporaryBytes(many), length: many.count)
        }
        #expect(fault?.code == .limit)
    }

    @Test("Missing strips are blank, and the others are decoded")
    func tolerance() throws {
        var tiff = TinyTIFF(width: 4, height: 4, data: Array(1...10))
        tiff.tags[278] = [2]
        tiff.tags[273] = [8, 1 << 20]
        tiff.tags[279] = [8, 8]
        let bytes = tiff.bytes
        let short = try TemporaryBytes(bytes)
        let decoded = try decodeTIFF(short, length: bytes.count, isTolerant: true)
        #expect(decoded.pixels == Array(1...8) + Array(repeating: 0, count: 8))
        let fault = #expect(throws: DecodingFault.self) {
            try decodeTIFF(short, length: bytes.count)
        }
        #expect(fault?.code == .truncated && fault?.offset == 1 << 20)
    }

    @Test("Damage in one strip is a fault, or leaves the other strips intact if tolerated")
    func damage() throws {
        // Deflated, in strips of 128 rows, about as long as their noise.
        let line = try #require(TIFFSamples.names.first { $0.hasPrefix("1500x400-3-8-4 ") })
        let sample = try TIFFSamples.sample(line)
        let stripBytes = 128 * 1500 * 3
        var bytes = sample.bytes
        for index in stripBytes * 3 / 2..<stripBytes * 3 / 2 + 100 { bytes[index] ^= 0x55 }
        let file = try TemporaryBytes(bytes)
        let fault = #expect(throws: DecodingFault.self) {
            try decodeTIFF(file, length: bytes.count)
        }
        #expect(fault?.code == .corrupt)
        let decoded = try decodeTIFF(file, length: bytes.count, isTolerant: true)
        #expect(decoded.pixels.count == sample.pixels.count)
        #expect(decoded.pixels.prefix(stripBytes) == sample.pixels.prefix(stripBytes))
        #expect(decoded.pixels.dropFirst(2 * stripBytes) == sample.pixels.dropFirst(2 * stripBytes))
    }

    @Test("Warnings of libjpeg are faults unless tolerated")
    func jpegWarnings() throws {
        let lines = TIFFSamples.names.filter { $0.hasPrefix("130x150-1-8-") }
        let start: [UInt8] = [0xff, 0xd8, 0xff, 0xe0]
        let sample = try #require(
            try lines.lazy.map { try TIFFSamples.sample($0) }
                .first { $0.bytes[8..<12].elementsEqual(start) })
        var bytes = sample.bytes
        // An early end of image.
        bytes.replaceSubrange(bytes.count / 2..<bytes.count / 2 + 2, with: [0xff, 0xd9])
        let file = try TemporaryBytes(bytes)
        let fault = #expect(throws: DecodingFault.self) {
            try decodeTIFF(file, length: bytes.count)
        }
        #expect(fault?.code == .truncated)
        let decoded = try decodeTIFF(file, length: bytes.count, isTolerant: true)
        #expect(decoded.pixels.prefix(130 * 8) == sample.pixels.prefix(130 * 8))
        #expect(decoded.pixels.count == sample.pixels.count && decoded.pixels != sample.pixels)
    }
}

/// Anonymous memory of the process, in bytes.
private func residentBytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
    return try #require(
        line.split(separator: "\t").last?.split(separator: " ").first.flatMap { Int($0) }) << 10
}
