import Testing

@Suite("Pixels of interlaced PNGs", .timeLimit(.minutes(1)))
struct InterlacedPNGExactnessTests {
    static let sizes = [
        (1, 1), (1, 2), (2, 1), (2, 2), (3, 5), (4, 4), (5, 3), (5, 1), (1, 9), (8, 8), (9, 7),
        (16, 17), (31, 2), (2, 31), (37, 23),
    ]

    @Test(
        "Every colour type, depth and filter, at every size with empty passes",
        arguments: InterlacedSample.Kind.all)
    func matrix(kind: InterlacedSample.Kind) throws {
        var sample = InterlacedSample(kind: kind)
        let filters: [InterlacedSample.Filters] = [
            .only(0), .only(1), .only(2), .only(3), .only(4), .mixed,
        ]
        for (index, (width, height)) in Self.sizes.enumerated() {
            for filter in filters {
                (sample.width, sample.height, sample.filters) = (width, height, filter)
                sample.seed = UInt64(index)
                let plain = try PlainPNG(try rewrite(sample.file))
                #expect(plain.rows == sample.rows, "\(sample.testDescription)")
                #expect(plain.header.prefix(10) == sample.head[16..<26])
            }
        }
    }

    @Test("Every compression level and window size", arguments: [0, 1, 6, 9] as [CInt])
    func compression(level: CInt) throws {
        for windowBits in CInt(9)...15 {
            var sample = InterlacedSample(width: 150, height: 70, seed: 7)
            (sample.level, sample.windowBits) = (level, windowBits)
            #expect(try PlainPNG(try rewrite(sample.file)).rows == sample.rows)
        }
    }

    @Test("Passes with distances beyond a window, and rows longer than a block")
    func longRows() throws {
        let sample = InterlacedSample(
            kind: .init(colourType: 6, bitDepth: 16), width: 3001, height: 9, filters: .only(2))
        #expect(try PlainPNG(try rewrite(sample.file)).rows == sample.rows)
    }

    @Test("Image data in chunks of any length, including empty ones")
    func chunking() throws {
        for chunking: InterlacedSample.Chunking in [
            .pieces(1), .pieces(2), .pieces(7), .pieces(1000), .withEmpty(1), .withEmpty(50),
        ] {
            var sample = InterlacedSample(width: 61, height: 47, seed: 3)
            sample.chunking = chunking
            #expect(try PlainPNG(try rewrite(sample.file)).rows == sample.rows)
        }
    }

    @Test(
        "The output does not depend on the read size", arguments: [1, 3, 64, 1 << 20])
    func pieces(piece: Int) throws {
        var sample = InterlacedSample(width: 40, height: 30)
        sample.after = InterlacedSample.chunk("tEXt", Array("Title\0none".utf8))
        #expect(try rewrite(sample.file, piece: piece) == rewrite(sample.file))
    }

    @Test("Empty chunks let the reader cancel during the first run")
    func occasions() throws {
        // Six passes of 1.3 MB in total, all zeros: two full steps of half a MB and a partial one.
        let side = 1600
        let sample = InterlacedSample(
            kind: .init(colourType: 0, bitDepth: 8), width: side, height: side)
        let lines = side / 8 * (1 + 1 + 1 + 2 + 2 + 4 + 4)
        let stream = sample.compressed([UInt8](repeating: 0, count: side * side + lines))
        let plain = try PlainPNG(try rewrite(sample.file(of: stream), piece: 1 << 20))
        #expect(plain.emptyChunks == 2)
        #expect(plain.rows.count == side)
    }
}
