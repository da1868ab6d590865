import AttachmentFormats
import Testing

@Suite("Chunks around the image data of interlaced PNGs", .timeLimit(.minutes(1)))
struct InterlacedPNGChunkTests {
    private typealias Chunk = PlainPNG.Chunk

    private func bytes(of chunks: [Chunk]) -> [UInt8] {
        chunks.flatMap { InterlacedSample.chunk($0.type, $0.data) }
    }

    @Test("Only chunks that affect colour are kept")
    func keeping() throws {
        // A stored block of four bytes: the length of a profile of 132 bytes.
        let start = Array("a\0\0".utf8) + [0x78, 1, 1, 4, 0, 0xFB, 0xFF, 0, 0, 0, 132]
        let colours = [
            Chunk(type: "gAMA", data: [0, 0, 0xB1, 0x8F]),
            Chunk(
                type: "iCCP", data: start + (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }),
        ]
        let others = [
            Chunk(type: "tEXt", data: Array("a\0b".utf8)), Chunk(type: "eXIf", data: [4]),
            Chunk(type: "prIv", data: []),
        ]
        let sample = InterlacedSample(
            before: bytes(of: others + colours + others), after: bytes(of: others))
        let plain = try PlainPNG(try rewrite(sample.file))
        #expect(plain.before == colours)
        #expect(plain.after.isEmpty)
        #expect(plain.rows == sample.rows)
    }

    @Test("Palette and transparency stay before the image data")
    func palette() throws {
        var sample = InterlacedSample(kind: .init(colourType: 3, bitDepth: 4))
        sample.before = InterlacedSample.chunk("gAMA", [0, 0, 0xB1, 0x8F])
        let plain = try PlainPNG(try rewrite(sample.file))
        #expect(plain.before.map(\.type) == ["gAMA", "PLTE"])
        #expect(plain.before.last?.data.count == 48)
    }

    @Test("An animation becomes its default image", arguments: [true, false])
    func animation(isTolerant: Bool) throws {
        let control = [Chunk(type: "acTL", data: [0, 0, 0, 2, 0, 0, 0, 0])]
        let frame = Chunk(type: "fcTL", data: [UInt8](repeating: 0, count: 26))
        let gamma = Chunk(type: "gAMA", data: [0, 0, 0xB1, 0x8F])
        let sample = InterlacedSample(
            before: bytes(of: control + [gamma, frame]),
            after: bytes(of: [frame, Chunk(type: "fdAT", data: [0, 0, 0, 2, 9, 9])]))
        let plain = try PlainPNG(try rewrite(sample.file, isTolerant: isTolerant))
        #expect(plain.before == [gamma])
        #expect(plain.after.isEmpty)
        #expect(plain.rows == sample.rows)
    }

    @Test("Ancillary chunks with a wrong checksum are dropped", arguments: [true, false])
    func damagedAncillary(isTolerant: Bool) throws {
        var damaged = InterlacedSample.chunk("gAMA", [0, 0, 0xB1, 0x8F])
        damaged[9] ^= 1
        let sample = InterlacedSample(before: damaged, after: damaged)
        let plain = try PlainPNG(try rewrite(sample.file, isTolerant: isTolerant))
        #expect(plain.before.isEmpty && plain.after.isEmpty)
        #expect(plain.rows == sample.rows)
    }

    @Test("Image data after another chunk are skipped")
    func apart() throws {
        let sample = InterlacedSample(
            after: InterlacedSample.chunk("tIME", [7, 234, 1, 1, 0, 0, 0])
                + InterlacedSample.chunk("IDAT", [1, 2, 3]))
        let plain = try PlainPNG(try rewrite(sample.file))
        #expect(plain.after.isEmpty)
        #expect(plain.rows == sample.rows)
    }

    @Test("A wrong critical checksum is a fault, or is corrected in tolerant mode")
    func damagedCritical() throws {
        let sample = InterlacedSample(kind: .init(colourType: 3, bitDepth: 8))
        // The last checksum byte of IHDR, PLTE, IDAT and IEND.
        let file = sample.file
        for offset in [32, sample.head.count - 1, file.count - 13, file.count - 1] {
            var damaged = file
            damaged[offset] ^= 1
            #expect(try fault(damaged) == .corrupt, "byte \(offset)")
            let plain = try PlainPNG(try rewrite(damaged, isTolerant: true))
            #expect(plain.rows == sample.rows)
        }
    }
}
