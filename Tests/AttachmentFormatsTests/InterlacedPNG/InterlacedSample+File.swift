import CZlib

extension InterlacedSample {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func chunk(_ type: String, _ data: [UInt8] = []) -> [UInt8] {
        let body = Array(type.utf8) + data
        return big(data.count) + body + big(Int(crc32(0, body, uInt(body.count))))
    }

    static func big(_ number: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    var file: [UInt8] { file(of: compressed(inflated())) }

    /// A file with the given compressed stream.
    func file(of stream: [UInt8]) -> [UInt8] {
        head + imageData(stream) + after + Self.chunk("IEND")
    }

    /// Everything before the image data.
    var head: [UInt8] {
        Self.signature
            + Self.chunk(
                "IHDR",
                Self.big(width) + Self.big(height) + [kind.bitDepth, kind.colourType, 0, 0, 1])
            + before + palette
    }

    /// A palette of the full size, without duplicates.
    private var palette: [UInt8] {
        guard kind.colourType == 3 else { return [] }
        return Self.chunk(
            "PLTE", (0..<(1 << Int(kind.bitDepth))).flatMap { [UInt8($0), UInt8(255 - $0), 77] })
    }

    func imageData(_ stream: [UInt8]) -> [UInt8] {
        func pieces(_ length: Int) -> [[UInt8]] {
            stride(from: 0, to: stream.count, by: length).map {
                Array(stream[$0..<min($0 + length, stream.count)])
            }
        }
        return switch chunking {
        case .one: Self.chunk("IDAT", stream)
        case .pieces(let length): pieces(length).flatMap { Self.chunk("IDAT", $0) }
        case .withEmpty(let length):
            pieces(length).flatMap { Self.chunk("IDAT") + Self.chunk("IDAT", $0) }
                + Self.chunk("IDAT")
        }
    }

    func compressed(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, level, Z_DEFLATED, windowBits, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                deflate(&stream, Z_FINISH)
                return output.count - Int(stream.avail_out)
            }
        }
        return Array(output.prefix(count))
    }
}
