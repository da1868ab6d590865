import AttachmentDecoding
import Testing

@Suite("The chunks around the image data of interlaced PNGs", .timeLimit(.minutes(1)))
struct InterlacedPNGChunkTests {
    private typealias Chunk = PlainPNG.Chunk

    private func bytes(of chunks: [Chunk]) -> [UInt8] {
        chunks.flatMap { InterlacedSample.chunk($0.type, $0.data) }
    }

    @Test("Chunks before and behind the image data stay where they are, as they are")
    func keeping() throws {
        let before = [
            Chunk(type: "gAMA", data: [0, 0, 0xB1, 0x8F]), Chunk(type: "eXIf", data: [1, 2, 3]),
            Chunk(type: "iCCP", data: (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }),
            Chunk(type: "prIv", data: []),
        ]
        let behind = [
            Chunk(type: "tEXt", data: Array("a\0b".utf8)), Chunk(type: "eXIf", data: [4]),
        ]
        let sample = InterlacedSample(before: bytes(of: before), behind: bytes(of: behind))
        let plain = try PlainPNG(try rewrite(sample.file))
        #expect(plain.before == before)
        #expect(plain.behind == behind)
        #expect(plain.rows == sample.rows)
    }

    @Test("Palette and transparency stay in front of the image data")
    func palette() throws {
        var sample = InterlacedSample(kind: .init(colourType: 3, bitDepth: 4))
        sample.before = InterlacedSample.chunk("bKGD", [3])
        let plain = try PlainPNG(try rewrite(sample.file))
        #expect(plain.before.map(\.type) == ["bKGD", "PLTE"])
        #expect(plain.before.last?.data.count == 48)
    }

    @Test("An animation becomes its default image", arguments: [true, false])
    func animation(isTolerant: Bool) throws {
        let control = [Chunk(type: "acTL", data: [0, 0, 0, 2, 0, 0, 0, 0])]
        let frame = Chunk(type: "fcTL", data: [UInt8](repeating: 0, count: 26))
        let title = Chunk(type: "tEXt", data: Array("a\0b".utf8))
        let sample = InterlacedSample(
            before: bytes(of: control + [title, frame]),
            behind: bytes(of: [frame, Chunk(type: "fdAT", data: [0, 0, 0, 2, 9, 9]), title]))
        let plain = try PlainPNG(try rewrite(sample.file, isTolerant: isTolerant))
        #expect(plain.before == [title])
        #expect(plain.behind == [title])
        #expect(plain.rows == sample.rows)
    }

    @Test("Ancillary chunks with a wrong checksum are left out", arguments: [true, false])
    func damagedAncillary(isTolerant: Bool) throws {
        var damaged = InterlacedSample.chunk("gAMA", [0, 0, 0xB1, 0x8F])
        damaged[9] ^= 1
        let sample = InterlacedSample(before: damaged, behind: damaged)
        let plain = try PlainPNG(try rewrite(sample.file, isTolerant: isTolerant))
        #expect(plain.before.isEmpty && plain.behind.isEmpty)
        #expect(plain.rows == sample.rows)
    }

    @Test("Ancillary chunks that libpng finds too long are left out")
    func overlong() throws {
        let long = InterlacedSample.chunk("prIv", [UInt8](repeating: 1, count: 8_000_001))
        let plain = try PlainPNG(try rewrite(InterlacedSample(before: long).file))
        #expect(plain.before.isEmpty)
    }

    @Test("Image data behind another chunk are passed over")
    func apart() throws {
        let sample = InterlacedSample(
            behind: InterlacedSample.chunk("tIME", [7, 234, 1, 1, 0, 0, 0])
                + InterlacedSample.chunk("IDAT", [1, 2, 3]))
        let plain = try PlainPNG(try rewrite(sample.file))
        #expect(plain.behind.map(\.type) == ["tIME"])
        #expect(plain.rows == sample.rows)
    }

    @Test("A wrong checksum of a critical chunk is a fault, or passed over and made right")
    func damagedCritical() throws {
        let sample = InterlacedSample(kind: .init(colourType: 3, bitDepth: 8))
        // The last byte of the checksum of IHDR, of PLTE, of IDAT and of IEND.
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
