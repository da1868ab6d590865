import Foundation

extension Data {
    /// A chunk of a PNG with its checksum (PNG specification, 5.3 and annex D).
    static func pngChunk(_ type: String, _ body: some Sequence<UInt8>) -> Data {
        let content = Data(type.utf8) + Data(body)
        let checksum = ~content.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
                sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1
            }
        }
        let word = { (value: UInt32) in Swift.withUnsafeBytes(of: value.bigEndian) { Data($0) } }
        return word(UInt32(content.count - 4)) + content + word(checksum)
    }
}

extension [UInt8] {
    /// A zlib stream of one stored block (RFC 1950 and 1951).
    static func zlib(storing bytes: [UInt8]) -> [UInt8] {
        let (low, high) = (UInt8(bytes.count & 255), UInt8(bytes.count >> 8))
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return [0x78, 1, 1, low, high, ~low, ~high] + bytes
            + [b >> 8, b & 255, a >> 8, a & 255].map { UInt8($0) }
    }
}
