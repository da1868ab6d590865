import SampleMedia

/// WebP, assembled from chunks.
enum SampleWebP {
    static func file(_ chunks: [UInt8]) -> [UInt8] {
        .ascii("RIFF") + .little32(chunks.count + 4) + .ascii("WEBP") + chunks
    }

    static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
        .ascii(type) + .little32(body.count) + body + .zeros(body.count & 1)
    }

    static func lossy(_ width: Int = 40, _ height: Int = 30) -> [UInt8] {
        chunk(
            "VP8 ", .little24(0x10) + [0x9D, 0x01, 0x2A] + .little16(width) + .little16(height))
    }

    static func lossless(
        _ width: Int = 40, _ height: Int = 30, alpha: Bool = false, version: Int = 0
    ) -> [UInt8] {
        let fields = (width - 1) | (height - 1) << 14 | (alpha ? 1 << 28 : 0) | version << 29
        return chunk("VP8L", [0x2F] + .little32(fields))
    }

    static func extended(_ flags: UInt8, _ width: Int = 40, _ height: Int = 30) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + .little24(width - 1) + .little24(height - 1))
    }

    static func frame(_ chunks: [UInt8]) -> [UInt8] { chunk("ANMF", .zeros(16) + chunks) }
}
