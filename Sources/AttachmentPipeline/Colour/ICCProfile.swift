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

    /// Offset of a tag's data; the tag table at byte 128 has a count, then signature, offset and
    /// size of each tag (ICC.1:2022, 7.3).
    private func offset(of signature: UInt32) -> Int? {
        let count = Int(bigEndian(at: 128) ?? 0)
        // Profiles have about a dozen tags; the limit bounds the time for a false count.
        let entry = (0..<Swift.min(count, 100)).first {
            bigEndian(at: 132 + 12 * $0) == signature
        }
        return entry.flatMap { bigEndian(at: 136 + 12 * $0) }.map(Int.init)
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
}
