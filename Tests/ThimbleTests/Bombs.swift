import CZlib
import Foundation

/// Files that declare, or expand to, at least a hundred times their size.
enum Bombs {
    /// All bombs by file name.
    static func all() -> [String: Data] {
        // 0.001 bytes per pixel, the least possible for a picture of one colour.
        let pixels = [(false, "plain"), (true, "interlaced")].map { isInterlaced, name in
            ("\(name).png", uniform(30_000, isInterlaced: isInterlaced))
        }
        let packed = zeros(1 << 30)
        let texts: [(String, [UInt8])] = [
            ("zTXt", Array("a\0\0".utf8)), ("iTXt", Array("a\0\u{1}\0\0\0".utf8)),
            ("iCCP", Array("a\0\0".utf8)),
        ]
        let chunks = texts.map { ("\($0.0).png", png(extra: chunk($0.0, $0.1 + packed))) }
        let exif = Array("MM\0*\0\0\0\u{8}".utf8) + [UInt8](repeating: 0xFF, count: 50 << 20)
        let huge = [
            ("exif.png", png(extra: chunk("eXIf", exif))),
            ("exif.webp", webp(side: 16, ("EXIF", exif), flags: 0x08)),
            ("profile.webp", webp(side: 16, ("ICCP", exif), flags: 0x20)),
            ("profile.jpg", jpegWithProfile()),
            ("metadata.jpg", jpegWithMetadata()),
        ]
        let claims = [
            ("screen.gif", gif(side: 65_535)),
            ("lossless.webp", webp(side: 16_383)),
            // Same, with enough bytes for the limit on pixels per byte.
            ("padded.webp", webp(side: 16_383, ("XMP ", [UInt8](repeating: 0, count: 4_000)))),
        ]
        return Dictionary(
            uniqueKeysWithValues: (pixels + chunks + huge + claims).map {
                ($0.0, Data($0.1))
            })
    }

    /// A zlib stream (RFC 1950) of zeros, compressed to a thousandth.
    private static func zeros(_ count: Int) -> [UInt8] {
        let blockBytes = 1 << 20
        let block = packed([UInt8](repeating: 0, count: blockBytes))
        var bytes: [UInt8] = [0x78, 0xDA]
        for _ in 0..<count / blockBytes { bytes += block }
        bytes += packed([UInt8](repeating: 0, count: count % blockBytes))
        // The last block is stored and empty. The Adler-32 checksum of the zeros follows.
        return bytes + [1, 0, 0, 0xFF, 0xFF] + big((count % 65_521) << 16 | 1)
    }

    /// Blocks (RFC 1951) that end on a byte boundary and refer to no earlier data, so that they can
    /// be repeated.
    private static func packed(_ block: [UInt8]) -> [UInt8] {
        var packed = [UInt8](repeating: 0, count: 1 << 14)
        var stream = z_stream()
        deflateInit2_(
            &stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        let length = block.withUnsafeBufferPointer { source in
            packed.withUnsafeMutableBufferPointer { target in
                stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
                stream.avail_in = uInt(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = uInt(target.count)
                deflate(&stream, Z_FULL_FLUSH)
                return target.count - Int(stream.avail_out)
            }
        }
        return Array(packed[..<length])
    }

    /// An RGB picture of one colour.
    private static func uniform(_ side: Int, isInterlaced: Bool) -> [UInt8] {
        // Each interlace pass has rows of its own, each with a filter byte.
        let filters =
            isInterlaced ? side / 8 * 2 + side / 4 * 2 + side / 2 + side / 2 + side / 2 : side
        return png(side: side, isInterlaced, data: zeros(side * side * 3 + filters))
    }

    private static func png(
        side: Int = 8, _ isInterlaced: Bool = false, data: [UInt8]? = nil, extra: [UInt8] = []
    ) -> [UInt8] {
        let header = big(side) + big(side) + [8, 2, 0, 0, isInterlaced ? 1 : 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + extra
            + chunk("IDAT", data ?? zeros(side * (side * 3 + 1))) + chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return big(data.count) + body + big(Int(crc32(0, body, uInt(body.count))))
    }

    private static func big(_ number: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    /// A lossless picture of one colour.
    ///
    /// Five codes of one symbol each need no bits per pixel.
    private static func webp(
        side: Int, _ extra: (name: String, data: [UInt8])? = nil, flags: UInt8 = 0
    ) -> [UInt8] {
        let size = UInt64(side - 1) | UInt64(side - 1) << 14
        // No alpha, version 0; no transform, no colour cache, no meta prefix codes; five simple
        // codes of the symbol 0, one bit each: RFC 9649, sections 3.4 to 3.8.
        let codes = (0..<5).reduce(UInt64(0)) { $0 | 0b0001 << UInt64(3 + 4 * $1) }
        let bits =
            withUnsafeBytes(of: (UInt32(truncatingIfNeeded: size).littleEndian)) { [UInt8]($0) }
            + withUnsafeBytes(of: codes.littleEndian) { [UInt8]($0) }
        func part(_ name: String, _ data: [UInt8]) -> [UInt8] {
            Array(name.utf8) + big(data.count).reversed() + data + (data.count % 2 == 0 ? [] : [0])
        }
        let canvas = withUnsafeBytes(of: UInt32(side - 1).littleEndian) { [UInt8]($0.prefix(3)) }
        var parts = extra == nil ? [] : part("VP8X", [flags, 0, 0, 0] + canvas + canvas)
        if let extra, extra.name == "ICCP" { parts += part(extra.name, extra.data) }
        parts += part("VP8L", [0x2F] + bits)
        if let extra, extra.name != "ICCP" { parts += part(extra.name, extra.data) }
        return Array("RIFF".utf8) + big(parts.count + 4).reversed() + Array("WEBP".utf8) + parts
    }

    /// A picture as large as its screen, with data for its first pixels only.
    private static func gif(side: Int) -> [UInt8] {
        let size = [UInt8(side & 0xFF), UInt8(side >> 8), UInt8(side & 0xFF), UInt8(side >> 8)]
        return Array("GIF89a".utf8) + size + [0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0]
            + size + [0, 2, 2, 0x44, 1, 0, 0x3B]
    }

    /// The sample picture with the longest ICC profile that segments can contain: ICC.1, B.4.
    private static func jpegWithProfile() -> [UInt8] {
        withSegments(
            (1...255).map { number in
                (
                    0xE2,
                    Array("ICC_PROFILE\0".utf8) + [UInt8(number), 255]
                        + [UInt8](repeating: 0xAA, count: 65_519)
                )
            })
    }

    /// The sample picture with 50 MB of Exif data and comments.
    private static func jpegWithMetadata() -> [UInt8] {
        withSegments(
            (0..<800).map { number in
                (
                    number % 2 == 0 ? 0xE1 : 0xFE,
                    Array("Exif\0\0MM\0*\0\0\0\u{8}".utf8)
                        + [UInt8](repeating: 0xFF, count: 65_519)
                )
            })
    }

    private static func withSegments(_ segments: [(marker: UInt8, data: [UInt8])]) -> [UInt8] {
        let url = Command.package.appending(path: "Images/still-life-ready.jpg")
        guard let picture = try? Data(contentsOf: url) else { return [] }
        var bytes = [UInt8](picture.prefix(2))
        for segment in segments {
            bytes += [0xFF, segment.marker] + big(segment.data.count + 2).suffix(2)
            bytes += segment.data
        }
        return bytes + picture.dropFirst(2)
    }
}
