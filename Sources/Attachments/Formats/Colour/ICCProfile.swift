/// Facts of an ICC profile, read from its tag table.
package struct ICCProfile<Bytes: RandomAccessCollection>
where Bytes.Element == UInt8, Bytes.Index == Int {
    private let bytes: Bytes

    package init(_ bytes: Bytes) { self.bytes = bytes }

    /// True if an RGB profile is wider than sRGB, according to its red primary.
    ///
    /// The `rXYZ` tag (ICC.1:2022, 9.2.44) of sRGB has X = 0.4361 after adaptation to D50; Display
    /// P3 has 0.5151, Adobe RGB 0.6097, ProPhoto 0.7977. A profile without that tag counts as
    /// narrow.
    package var isWiderThanSRGB: Bool {
        guard let tag = offset(of: Tag.redPrimary) else { return false }
        // An s15Fixed16 number after the type and four reserved bytes.
        let red = bigEndian(at: tag + 8).map { Double(Int32(bitPattern: $0)) / 65536 }
        return red.map { $0 > 0.47 } ?? false
    }

    /// True for a profile that only a conversion with the perceptual intent honours.
    ///
    /// Conversions are relative colorimetric, which preserves colours that both spaces contain. A
    /// profile with only a perceptual table, without a relative one and without primaries, needs
    /// the perceptual intent.
    package var isPerceptualOnly: Bool {
        offset(of: Tag.perceptual) != nil
            && [Tag.relative, Tag.redPrimary].allSatisfy { offset(of: $0) == nil }
    }

    /// Colour space of the samples (ICC.1:2022, 7.2.8); nil without a profile header.
    package var colourSpace: ICCColourSpace? {
        guard bigEndian(at: 36) == 0x6163_7370 else { return nil }
        return bigEndian(at: 16).map(ICCColourSpace.init)
    }

    /// True if the profile converts its samples to a connection space, with every part in its place.
    ///
    /// Profiles of devices and spaces do (7.2.7); links and named colours do not, nor do effects except
    /// on L*a*b*, as which Little CMS writes its identity. Besides the header, the parts are a table, or
    /// curves with the primaries of RGB (8.3 to 8.5). Reverse tables must be whole if there are any,
    /// because black points are found with them.
    package var isReadable: Bool {
        guard let space = colourSpace, let kind = bigEndian(at: 12),
            let connection = bigEndian(at: 20),
            [0x7363_6E72, 0x6D6E_7472, 0x7072_7472, 0x7370_6163].contains(kind)
                || space == .lab && kind == 0x6162_7374,
            [ICCColourSpace.xyz, .lab].contains(ICCColourSpace(code: connection)),
            Tag.tables.allSatisfy({ entry(of: $0) == nil || isWhole($0) })
        else { return false }
        if [Tag.perceptual, Tag.relative].contains(where: isWhole) { return true }
        return switch space {
        case .rgb: Tag.matrix.allSatisfy(isWhole)
        case .grey: isWhole(Tag.greyCurve)
        default: false
        }
    }

    /// True for a readable profile whose samples are in the space.
    package func isUsable(for space: ICCColourSpace) -> Bool { colourSpace == space && isReadable }

    private func isWhole(_ signature: UInt32) -> Bool {
        guard let entry = entry(of: signature), let offset = bigEndian(at: entry + 4),
            let length = bigEndian(at: entry + 8)
        else { return false }
        return length >= 8 && Int(offset) >= 128 && Int(offset) + Int(length) <= bytes.count
    }

    /// Offset of a tag's data; the tag table at byte 128 has a count, then signature, offset and
    /// size of each tag (ICC.1:2022, 7.3).
    private func offset(of signature: UInt32) -> Int? {
        entry(of: signature).flatMap { bigEndian(at: $0 + 4) }.map(Int.init)
    }

    private func entry(of signature: UInt32) -> Int? {
        let count = Int(bigEndian(at: 128) ?? 0)
        // Profiles have about a dozen tags; the limit bounds the time for a false count.
        return (0..<Swift.min(count, 100)).first {
            bigEndian(at: 132 + 12 * $0) == signature
        }.map { 132 + 12 * $0 }
    }

    private func bigEndian(at offset: Int) -> UInt32? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        return bytes[(bytes.startIndex + offset)...].prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}

/// Signatures of tags.
private enum Tag {
    /// `A2B0`.
    static let perceptual: UInt32 = 0x4132_4230
    /// `A2B1`.
    static let relative: UInt32 = 0x4132_4231
    /// `rXYZ`.
    static let redPrimary: UInt32 = 0x7258_595A
    /// `kTRC`.
    static let greyCurve: UInt32 = 0x6B54_5243
    /// `A2B0`, `A2B1`, `B2A0` and `B2A1`.
    static let tables = [perceptual, relative, 0x4232_4130, 0x4232_4131]
    /// `rXYZ`, `gXYZ`, `bXYZ`, `rTRC`, `gTRC` and `bTRC`.
    static let matrix: [UInt32] = [
        redPrimary, 0x6758_595A, 0x6258_595A, 0x7254_5243, 0x6754_5243, 0x6254_5243,
    ]
}

/// Colour space of an ICC profile (ICC.1:2022, table 19).
package struct ICCColourSpace: Hashable, Sendable {
    /// Four characters, such as `RGB `.
    package let code: UInt32

    package init(code: UInt32) { self.code = code }

    package static let rgb = ICCColourSpace(code: 0x5247_4220)
    package static let grey = ICCColourSpace(code: 0x4752_4159)
    package static let cmyk = ICCColourSpace(code: 0x434D_594B)
    package static let lab = ICCColourSpace(code: 0x4C61_6220)
    package static let xyz = ICCColourSpace(code: 0x5859_5A20)

    /// Name for people.
    package var name: String {
        switch self {
        case .grey: "grey"
        default:
            String(
                decoding: (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
                    .filter { (0x21...0x7E).contains($0) }, as: UTF8.self)
        }
    }
}
