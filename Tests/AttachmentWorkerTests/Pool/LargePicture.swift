import Foundation

/// A black greyscale PNG of any size; 100 megapixels are a few hundred kilobytes.
enum LargePicture {
    static func write(_ width: Int, _ height: Int, interlaced: Bool, to url: URL) throws {
        // Adam7 (PNG specification, section 8.1): start and step of columns and rows.
        let passes =
            interlaced
            ? [
                (0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2),
                (0, 1, 1, 2),
            ] : [(0, 1, 0, 1)]
        let count = passes.reduce(0) { sum, pass in
            let columns = max(0, (width - pass.0 + pass.1 - 1) / pass.1)
            let rows = max(0, (height - pass.2 + pass.3 - 1) / pass.3)
            return sum + (columns == 0 ? 0 : rows * (columns + 1))
        }
        try
            (start(width, height, interlaced: interlaced) + chunk("IDAT", zeros(count))
            + chunk("IEND", Data())).write(to: url)
    }

    /// Signature and header of an 8-bit greyscale PNG.
    static func start(_ width: Int, _ height: Int, interlaced: Bool) -> Data {
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            + chunk(
                "IHDR", number(width) + number(height) + [8, 0, 0, 0, interlaced ? 1 : 0])
    }

    static func chunk(_ name: String, _ body: Data) -> Data {
        let content = Data(name.utf8) + body
        return number(body.count) + content + number(Int(checksum(content)))
    }

    static func number(_ value: Int) -> Data {
        withUnsafeBytes(of: UInt32(value).bigEndian) { Data($0) }
    }

    /// A zlib stream (RFC 1950) of zeros: one literal, then copies of 258 bytes at distance 1.
    private static func zeros(_ count: Int) -> Data {
        var bits = BitWriter()
        bits.append(0b1, 1)
        bits.append(0b01, 2)
        bits.append(reversed: 0b0011_0000, 8)
        let copies = (count - 1) / 258
        for _ in 0..<copies {
            bits.append(reversed: 0b1100_0101, 8)
            bits.append(0, 5)
        }
        for _ in 0..<(count - 1) % 258 { bits.append(reversed: 0b0011_0000, 8) }
        bits.append(0, 7)
        var stream = Data([0x78, 0x01]) + bits.bytes
        // Adler-32 of zeros: the first sum stays 1, the second is the count.
        withUnsafeBytes(of: (UInt32(count % 65_521) << 16 | 1).bigEndian) { stream += $0 }
        return stream
    }

    /// CRC-32 (PNG specification, annex D).
    private static func checksum(_ data: Data) -> UInt32 {
        let table = (0..<256).map { value -> UInt32 in
            (0..<8).reduce(UInt32(value)) { sum, _ in
                sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1
            }
        }
        return ~data.reduce(~UInt32(0)) { sum, byte in
            table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8)
        }
    }

    private struct BitWriter {
        private var done = Data()
        private var current: UInt64 = 0
        private var count = 0

        var bytes: Data { count > 0 ? done + [UInt8(truncatingIfNeeded: current)] : done }

        mutating func append(_ value: UInt64, _ width: Int) {
            current |= value << count
            count += width
            while count >= 8 {
                done.append(UInt8(truncatingIfNeeded: current))
                current >>= 8
                count -= 8
            }
        }

        /// Huffman codes are stored with their first bit first (RFC 1951, section 3.1.1).
        mutating func append(reversed value: UInt64, _ width: Int) {
            append((0..<width).reduce(0) { $0 | (value >> $1 & 1) << (width - 1 - $1) }, width)
        }
    }
}
