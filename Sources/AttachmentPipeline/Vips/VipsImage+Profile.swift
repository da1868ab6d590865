internal import CVips

extension VipsImage {
    /// Whether the embedded RGB profile reaches beyond sRGB, told by its red primary.
    ///
    /// The `rXYZ` tag (ICC.1:2022, 9.2.44) of sRGB has X = 0.4361 after adaptation to D50; Display
    /// P3 has 0.5151, Adobe RGB 0.6097, ProPhoto 0.7977. A profile without that tag is taken for
    /// narrow.
    var isWiderThanSRGB: Bool {
        var bytes: UnsafeRawPointer?
        var count = 0
        guard hasProfile,
            vips_image_get_blob(pointer, "icc-profile-data", &bytes, &count) == 0, let bytes
        else { return false }
        let profile = UnsafeRawBufferPointer(start: bytes, count: count)
        return profile.redPrimaryX.map { $0 > 0.47 } ?? false
    }
}

extension UnsafeRawBufferPointer {
    /// The X of the `rXYZ` tag: the tag table starts at byte 128 with its count, then signature,
    /// offset and size of each (ICC.1:2022, 7.3); the value is an s15Fixed16 at offset 8.
    fileprivate var redPrimaryX: Double? {
        guard let tags = bigEndian(at: 128) else { return nil }
        for tag in 0..<Swift.min(Int(tags), 100) {
            guard let signature = bigEndian(at: 132 + 12 * tag),
                let offset = bigEndian(at: 136 + 12 * tag)
            else { return nil }
            guard signature == 0x7258_595A else { continue }
            return bigEndian(at: Int(offset) + 8).map { Double(Int32(bitPattern: $0)) / 65536 }
        }
        return nil
    }

    private func bigEndian(at offset: Int) -> UInt32? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
