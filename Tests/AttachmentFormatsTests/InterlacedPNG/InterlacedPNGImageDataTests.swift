@testable import AttachmentFormats
import Testing

@Suite("Malformed image data", .timeLimit(.minutes(1)))
struct InterlacedPNGImageDataTests {
    private let sample = InterlacedSample(width: 21, height: 19, seed: 5)

    private func check(_ file: [UInt8], _ expected: DecodingFault.Code?) throws {
        #expect(try fault(file) == expected)
        #expect(try PlainPNG(try rewrite(file, isTolerant: true)).rows == sample.rows)
    }

    @Test("A wrong stream checksum is ignored after the last pixel")
    func adler() throws {
        var stream = sample.compressed(sample.inflated())
        stream[stream.count - 1] ^= 1
        try check(sample.file(of: stream), nil)
    }

    @Test("Surplus data after the last row are ignored, inside and after the stream")
    func surplus() throws {
        for surplus in [1, 63, 64, 5000] {
            var more = sample
            more.surplus = surplus
            try check(more.file, nil)
        }
        try check(sample.file(of: sample.compressed(sample.inflated()) + [1, 2, 3]), nil)
        var pieces = sample
        pieces.chunking = .pieces(100)
        let trailing = [UInt8](repeating: 9, count: 1 << 18)
        try check(pieces.file(of: sample.compressed(sample.inflated()) + trailing), nil)
    }

    @Test("A stream may end before its checksum, and not before its last row")
    func early() throws {
        let stream = sample.compressed(sample.inflated())
        try check(sample.file(of: stream.dropLast(2)), nil)
        let short = sample.file(of: sample.compressed(sample.inflated().dropLast(1)))
        #expect(try fault(short) == .truncated)
        #expect(try PlainPNG(try rewrite(short, isTolerant: true)).rows.count == 19)
    }

    @Test("A file without its end has all pixels")
    func withoutEnd() throws {
        try check(sample.file.dropLast(12), nil)
        try check(sample.file.dropLast(1), nil)
    }

    @Test("A chunk that claims 2 GB")
    func claim() throws {
        let stream = sample.compressed(sample.inflated())
        let claim = InterlacedSample.big(Int(Int32.max))
        try check(sample.head + claim + Array("IDAT".utf8) + stream, nil)
        let first = InterlacedSample.chunk("IDAT", Array(stream.prefix(20)))
        let rest = Array("IDAT".utf8) + stream.dropFirst(20)
        try check(sample.head + first + claim + rest, nil)
        let more = InterlacedSample.big(Int(UInt32.max))
        let file = sample.head + InterlacedSample.chunk("IDAT", stream) + more + Array("IDAT".utf8)
        try check(file, .corrupt)
    }

    @Test("A preset dictionary, another method and an unknown filter are faults")
    func illegal() throws {
        let stream = sample.compressed(sample.inflated())
        for header: [UInt8] in [[0x78, 0x20], [0x79, 0x9C], [0x88, 0x1C]] {
            #expect(try fault(sample.file(of: header + stream.dropFirst(2))) == .corrupt)
        }
        var inflated = sample.inflated()
        inflated[0] = 5
        #expect(try fault(sample.file(of: sample.compressed(inflated))) == .corrupt)
    }

    @Test("Empty blocks are skipped, up to a limit")
    func emptyBlocks() throws {
        let stream = sample.compressed(sample.inflated())
        // Empty stored blocks, and eight empty blocks of fixed codes in ten bytes.
        for (block, count) in [
            ([0, 0, 0, 0xFF, 0xFF], 1), ([2, 8, 32, 128, 0, 2, 8, 32, 128, 0], 8),
        ] as [([UInt8], Int)] {
            let few = stream.prefix(2) + (0..<50).flatMap { _ in block } + stream.dropFirst(2)
            try check(sample.file(of: Array(few)), nil)
            let many = [[UInt8]](
                repeating: block, count: ImageDataInflater.maxEmptyBlocks / count + 1)
            let endless = stream.prefix(2) + many.flatMap { $0 }
            #expect(try fault(sample.file(of: Array(endless))) == .limit)
        }
    }

    @Test("Missing passes are filled with the pixels of earlier passes", arguments: 1...7)
    func missingPasses(count: Int) throws {
        // Distances between known pixels after each pass (8.1).
        let (across, down) = [(8, 8), (4, 8), (4, 4), (2, 4), (2, 2), (1, 2), (1, 1)][count - 1]
        for kind in InterlacedSample.Kind.all {
            let sample = InterlacedSample(kind: kind, width: 19, height: 21)
            let stream = sample.compressed(sample.inflated(passes: count))
            let plain = try PlainPNG(try rewrite(sample.file(of: stream), isTolerant: true))
            let pixels = sample.pixels
            let expected = pixels.indices.map { y in
                sample.pack(
                    pixels[y].indices.map { pixels[y / down * down][$0 / across * across] })
            }
            #expect(plain.rows == expected, "\(kind)")
        }
    }

    @Test("Without the first row, the image is blank")
    func nothing() throws {
        let file = sample.file(of: sample.compressed([]))
        let plain = try PlainPNG(try rewrite(file, isTolerant: true))
        #expect(plain.rows.allSatisfy { $0.allSatisfy { $0 == 0 } })
    }
}
