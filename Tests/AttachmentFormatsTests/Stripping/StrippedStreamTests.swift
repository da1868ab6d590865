import AttachmentFormats
import CZlib
import Testing

@Suite("Metadata stripping", .timeLimit(.minutes(1)))
struct StrippedStreamTests {
    private static let jfif: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + .zeros(9)
    private static let adobe: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8) + .zeros(7)
    /// Tables whose values resemble metadata markers, and a scan with bytes that are no markers.
    private static let tables: [UInt8] = [0xFF, 0xDB, 0, 7, 0xFF, 0xE1, 0xFF, 0xFE, 0]
    private static let scan: [UInt8] =
        [0xFF, 0xDA, 0, 4, 0, 0] + [1, 2, 0xFF, 0, 0xE1, 0xFF, 0xD3, 3, 0xFF, 0xFF]
        + [0xFF, 0xD9]
    private static let exif: [UInt8] = [0xFF, 0xE1, 0, 9] + Array("Exif\0\0".utf8) + [7]
    private static let comment: [UInt8] = [0xFF, 0xFE, 0, 4, 0xFF, 0xD8]

    /// A profile segment of any length.
    private static func profile(_ count: Int) -> [UInt8] {
        let length = count + 16
        return [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)]
            + Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + .zeros(count)
    }

    private func readAll(_ stream: some SimplerFile, chunk: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 1)
        defer { buffer.deallocate() }
        while case let count = try stream.read(into: buffer), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }

    private func strippedJPEG(_ bytes: [UInt8], chunk: Int = 4096) throws -> [UInt8] {
        let file = try TemporaryBytes(bytes)
        return try readAll(
            StrippedJPEGStream(file.openFile), chunk: chunk)
    }

    private func strippedPNG(_ bytes: [UInt8], chunk: Int = 4096) throws -> [UInt8] {
        let file = try TemporaryBytes(bytes)
        return try readAll(
            StrippedPNGStream(file.openFile), chunk: chunk)
    }

    @Test(
        "Exif and comments are removed from any position in a JPEG, and nothing else",
        arguments: [1, 3, 4096])
    func jpeg(chunk: Int) throws {
        let start: [UInt8] = [0xFF, 0xD8]
        let kept = start + Self.jfif + Self.profile(20) + Self.adobe + Self.tables + Self.scan
        let other = Self.exif + Self.comment
        let full =
            start + other + Self.jfif + other + Self.profile(20) + Self.adobe + other + Self.tables
            + other + Self.scan.dropLast(2) + other + [0xFF, 0xD9] as [UInt8]
        #expect(try strippedJPEG(full, chunk: chunk) == kept)
        #expect(try strippedJPEG(kept, chunk: chunk) == kept)
    }

    @Test("A truncated JPEG gives a prefix of the whole output, and at most the truncated segment")
    func cutJPEG() throws {
        let full = [0xFF, 0xD8] + Self.exif + Self.jfif + Self.tables + Self.comment + Self.scan
        let whole = try strippedJPEG(full)
        for count in 0...full.count {
            // A truncated segment passes through until its kind is known.
            let cut = try strippedJPEG(Array(full[..<count]))
            let same = zip(whole, cut).prefix(while: { $0 == $1 }).count
            let tail = full[..<count].suffix(cut.count - same)
            #expect(tail.elementsEqual(cut[same...]), "\(count)")
        }
    }

    @Test("The end of an oversized JPEG profile is dropped")
    func longProfile() throws {
        let segments = [0xFF, 0xD8] + (0..<65).flatMap { _ in Self.profile(65_000) } + Self.scan
        let kept = [0xFF, 0xD8] + (0..<64).flatMap { _ in Self.profile(65_000) } + Self.scan
        #expect(try strippedJPEG(segments) == kept)
        let meta = [0xFF, 0xD8] + (0..<90_000).flatMap { _ in Self.comment } + Self.scan
        #expect(try strippedJPEG(meta) == [0xFF, 0xD8] + Self.scan)
    }

    @Test(
        "Text, Exif and private chunks are removed from a PNG, and nothing else",
        arguments: [1, 5, 4096])
    func png(chunk: Int) throws {
        func png(_ extra: [UInt8]) -> [UInt8] {
            var sample = InterlacedSample(kind: .init(colourType: 3, bitDepth: 4))
            sample.before = extra + InterlacedSample.chunk("gAMA", [0, 0, 0xB1, 0x8F]) + extra
            sample.after = extra
            return sample.file
        }
        let others = ["tEXt", "zTXt", "iTXt", "eXIf", "prIv"].flatMap {
            InterlacedSample.chunk($0, [97, 0, 0, 1])
        }
        #expect(try strippedPNG(png(others), chunk: chunk) == png([]))
        #expect(try strippedPNG(png([]), chunk: chunk) == png([]))
        // Bytes that are no chunk pass through.
        let damaged = png([]) + [0, 0, 0, 1, 1, 2, 3, 4, 5]
        #expect(try strippedPNG(damaged, chunk: chunk) == damaged)
    }

    @Test("A PNG profile is dropped before decompression if its length is implausible or too long")
    func packedProfile() throws {
        for (length, isDropped) in [
            (4 << 20, false), (132, false), (131, true), (4 << 20 + 1, true), (900_000_000, true),
        ] {
            let start = InterlacedSample.big(length) + .zeros(96)
            var packed = [UInt8](repeating: 0, count: 200)
            var count = uLong(packed.count)
            try #require(compress(&packed, &count, start, uLong(start.count)) == Z_OK)
            let plain = InterlacedSample().file
            var sample = InterlacedSample()
            sample.before = InterlacedSample.chunk(
                "iCCP", Array("a\0\0".utf8) + packed[..<Int(count)])
            #expect(try strippedPNG(sample.file) == (isDropped ? plain : sample.file))
            #expect(try rewrite(sample.file).contains("iCCP") == !isDropped)
        }
    }
}

extension [UInt8] {
    fileprivate func contains(_ name: String) -> Bool { self.contains(Array(name.utf8)) }

    fileprivate static func zeros(_ count: Int) -> [UInt8] { .init(repeating: 0, count: count) }
}
