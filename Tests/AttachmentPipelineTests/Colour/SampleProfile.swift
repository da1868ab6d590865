import Foundation

/// An ICC profile of version 2.1, written from its parts.
struct SampleProfile {
    var space = "RGB "
    var kind = "mntr"
    var connection = "XYZ "
    var tags: [(name: String, data: [UInt8])]

    /// Primaries (as adapted to D50), by default sRGB's, with a curve of one exponent.
    static func rgb(
        gamma: Double = 2.2,
        primaries: [[Double]] = [
            [0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141],
        ]
    ) -> SampleProfile {
        SampleProfile(tags: [
            ("wtpt", xyz([0.9642, 1, 0.8249])), ("rXYZ", xyz(primaries[0])),
            ("gXYZ", xyz(primaries[1])), ("bXYZ", xyz(primaries[2])),
            ("rTRC", curve(gamma)), ("gTRC", curve(gamma)), ("bTRC", curve(gamma)),
        ])
    }

    static func grey(gamma: Double) -> SampleProfile {
        SampleProfile(
            space: "GRAY", tags: [("wtpt", xyz([0.9642, 1, 0.8249])), ("kTRC", curve(gamma))])
    }

    var bytes: [UInt8] {
        var (table, body): ([UInt8], [UInt8]) = ([], [])
        let start = 128 + 4 + 12 * tags.count
        for tag in tags {
            table += Array(tag.name.utf8) + big(start + body.count) + big(tag.data.count)
            body += tag.data + Array(repeating: 0, count: (4 - tag.data.count % 4) % 4)
        }
        var header = big(start + body.count) + big(0) + big(0x0210_0000)
        header += Array(kind.utf8) + Array(space.utf8) + Array(connection.utf8)
        header += Array(repeating: 0, count: 12) + Array("acsp".utf8)
        header += Array(repeating: 0, count: 128 - header.count)
        return header + big(tags.count) + table + body
    }

    /// A JPEG with the profile in one segment (ICC.1:2022, B.4).
    func embedded(in jpeg: Data) -> Data { Self.embed(bytes, in: jpeg) }

    static func embed(_ profile: [UInt8], in jpeg: Data) -> Data {
        let data = Array("ICC_PROFILE\0".utf8) + [1, 1] + profile
        let length = data.count + 2
        return jpeg.prefix(2) + Data([0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + data)
            + jpeg.dropFirst(2)
    }

    private static func xyz(_ values: [Double]) -> [UInt8] {
        Array("XYZ \0\0\0\0".utf8) + values.flatMap { big(Int(($0 * 65536).rounded())) }
    }

    /// A curve of one exponent, as an unsigned number with eight bits after the point.
    private static func curve(_ gamma: Double) -> [UInt8] {
        let value = Int((gamma * 256).rounded())
        return Array("curv\0\0\0\0".utf8) + big(1) + [UInt8(value >> 8), UInt8(value & 255)]
    }
}

private func big(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
}
