import AttachmentFormats
import CZlib
import Randomness
import Testing

@Suite("Damaged interlaced PNGs", .timeLimit(.minutes(1)))
struct InterlacedPNGDamageTests {
    @Test("Truncation at any byte before the last pixel is a fault, or an image in tolerant mode")
    func truncation() throws {
        let sample = InterlacedSample(
            kind: .init(colourType: 3, bitDepth: 4), width: 15, height: 12,
            after: InterlacedSample.chunk("tEXt", Array("a\0b".utf8)))
        let file = sample.file
        var ends = 0
        for length in file.indices {
            let rest = Array(file[..<length])
            if let code = try fault(rest) {
                #expect(code == .truncated && ends == 0, "\(length) bytes")
            } else {
                // Only what follows the last pixel is missing.
                ends += 1
                #expect(try PlainPNG(try rewrite(rest)).rows == sample.rows)
            }
            guard length >= sample.head.count + 8 else {
                #expect(try fault(rest, isTolerant: true) == .truncated, "\(length) bytes")
                continue
            }
            let plain = try PlainPNG(try rewrite(rest, isTolerant: true))
            #expect(plain.rows.count == 12)
        }
        #expect((12...60).contains(ends))
    }

    @Test("A file that shrinks while open is a fault")
    func shortened() throws {
        let sample = InterlacedSample()
        let file = try TemporaryBytes(Array(sample.file.dropLast(60)))
        let stream = try InterlacedPNGStream(
            file.openFile, isTolerant: false)
        var buffer = [UInt8](repeating: 0, count: 100)
        for _ in 0..<2 {
            #expect(throws: DecodingFault.self) {
                while try buffer.withUnsafeMutableBytes({ try stream.read(into: $0) }) > 0 {}
            }
        }
    }

    @Test("Any flipped bit is a fault or harmless, or an image in tolerant mode")
    func flips() throws {
        let sample = InterlacedSample(
            kind: .init(colourType: 0, bitDepth: 8), width: 9, height: 9,
            before: InterlacedSample.chunk("gAMA", [0, 0, 0xB1, 0x8F]))
        let (file, rows) = (sample.file, sample.rows)
        for offset in file.indices {
            for bit in [0, 6] {
                var damaged = file
                damaged[offset] ^= 1 << UInt8(bit)
                if let bytes = try? rewrite(damaged) {
                    #expect(try PlainPNG(bytes).rows == rows, "byte \(offset), bit \(bit)")
                }
                if let bytes = try? rewrite(damaged, isTolerant: true) { _ = try PlainPNG(bytes) }
            }
        }
    }

    @Test("Mutated streams with valid checksums are faults or images")
    func mutations() throws {
        var random = SplitMix64(seed: 99)
        for round in 0..<300 {
            var sample = InterlacedSample(
                kind: InterlacedSample.Kind.all[round % 15], width: 11, height: 10)
            sample.chunking = .pieces(1 + round)
            var stream = sample.compressed(sample.inflated())
            for _ in 0..<3 {
                stream[Int(random.next() % UInt64(stream.count))] = UInt8(random.next() & 0xFF)
            }
            let file = sample.file(of: stream)
            if let bytes = try? rewrite(file) { _ = try PlainPNG(bytes) }
            #expect(try PlainPNG(try rewrite(file, isTolerant: true)).rows.count == 10)
        }
    }

    @Test("Invalid or unsupported sides, depths and methods")
    func headers() throws {
        let changes: [(offset: Int, bytes: [UInt8], fault: DecodingFault.Code)] = [
            (0, [0, 0, 0, 0], .corrupt), (4, [0, 0, 0, 0], .corrupt),
            (0, [0x80, 0, 0, 0], .corrupt), (4, [0xFF, 0xFF, 0xFF, 0xFF], .corrupt),
            (0, [0x7F, 0xFF, 0xFF, 0xFF], .limit),
            (4, [0x7F, 0xFF, 0xFF, 0xFF], .limit),
            (0, [0, 0x0F, 0x42, 0x41], .limit), (8, [3], .corrupt), (8, [16, 3], .corrupt),
            (9, [7], .corrupt), (10, [1], .corrupt), (11, [1], .corrupt), (12, [2], .corrupt),
            (12, [0], .unsupported),
        ]
        let sample = InterlacedSample()
        for change in changes {
            var data = Array(sample.head[16..<29])
            for (index, byte) in change.bytes.enumerated() { data[change.offset + index] = byte }
            let file =
                InterlacedSample.signature + InterlacedSample.chunk("IHDR", data)
                + sample.file.dropFirst(33)
            #expect(try fault(file) == change.fault, "\(change)")
            #expect(try fault(file, isTolerant: true) == change.fault, "\(change)")
        }
    }

    @Test("The largest image in a few bytes is a fault, or blank, in bounded memory")
    func claims() throws {
        for (width, height) in [(1_000_000, 1), (1, 1_000_000)] {
            var sample = InterlacedSample(kind: .init(colourType: 6, bitDepth: 16))
            (sample.width, sample.height) = (width, height)
            let file = sample.file(of: sample.compressed([0, 1, 2, 3]))
            #expect(try fault(file) == .truncated)
        }
        var sample = InterlacedSample(kind: .init(colourType: 0, bitDepth: 1))
        (sample.width, sample.height) = (1_000_000, 9)
        let file = sample.file(of: sample.compressed([0, 1, 2, 3]))
        #expect(try PlainPNG(try rewrite(file, isTolerant: true, piece: 1 << 16)).rows.count == 9)
    }

    @Test("Misplaced chunks")
    func order() throws {
        let (sample, chunk) = (InterlacedSample(), InterlacedSample.chunk)
        let head = Array(sample.head)
        #expect(try fault(head + chunk("IEND", [])) == .corrupt)
        #expect(try fault(head + chunk("NEWS", []) + sample.file.dropFirst(33)) == .unsupported)
        #expect(try fault(head + chunk("IHDR", []) + sample.file.dropFirst(33)) == .unsupported)
        #expect(try fault(head + chunk("a1cd", []) + sample.file.dropFirst(33)) == .corrupt)
        #expect(
            try fault(Array(head.prefix(8)) + chunk("CgBI", [0, 0, 0, 0]) + head.dropFirst(8))
                == .unsupported)
        #expect(try fault(head + chunk("PLTE", .init(repeating: 0, count: 771))) == .corrupt)
        let after = InterlacedSample(after: chunk("NEWS", []))
        #expect(try fault(after.file) == .unsupported)
        #expect(try PlainPNG(try rewrite(after.file, isTolerant: true)).rows == sample.rows)
    }
}
