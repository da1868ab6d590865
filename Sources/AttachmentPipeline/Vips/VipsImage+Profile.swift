internal import CVips

extension VipsImage {
    /// Whether the embedded RGB profile reaches beyond sRGB, told by its red primary.
    ///
    /// The `rXYZ` tag (ICC.1:2022, 9.2.44) of sRGB has X = 0.4361 after adaptation to D50; Display
    /// P3 has 0.5151, Adobe RGB 0.6097, ProPhoto 0.7977. A profile without that tag is taken for
    /// narrow.
    var isWiderThanSRGB: Bool {
        withProfile { profile in
            guard let tag = profile.offset(of: 0x7258_595A) else { return false }
            // An s15Fixed16 number after the type and four reserved bytes.
            let red = profile.bigEndian(at: tag + 8).map { Double(Int32(bitPattern: $0)) / 65536 }
            return red.map { $0 > 0.47 } ?? false
        }
    }

    /// The rendering intent to convert with, by libvips' nickname.
    ///
    /// Relative colorimetric, which keeps what both spaces can show. A profile that has a table for
    /// the perceptual intent (`A2B0`), and neither one for the relative (`A2B1`) nor primaries, can
    /// only be read perceptually; libvips would ignore it.
    var renderingIntent: String {
        withProfile { profile in
            let (perceptual, relative, red) = (0x4132_4230, 0x4132_4231, 0x7258_595A)
            let isPerceptualOnly =
                profile.offset(of: UInt32(perceptual)) != nil
                && [relative, red].allSatisfy { profile.offset(of: UInt32($0)) == nil }
            return isPerceptualOnly ? "perceptual" : "relative"
        }
    }

    /// The embedded profile; nil when there is none.
    package var profile: [UInt8]? { hasProfile ? withProfile { Array($0) } : nil }

    private func withProfile<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        var bytes: UnsafeRawPointer?
        var count = 0
        let isThere =
            hasProfile && vips_image_get_blob(pointer, "icc-profile-data", &bytes, &count) == 0
        // The bytes belong to the image, which outlives the call.
        return withExtendedLifetime(self) {
            body(UnsafeRawBufferPointer(start: bytes, count: isThere ? count : 0))
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Where the data of a tag starts: the tag table stands at byte 128 with its count, then
    /// signature, offset and size of each tag (ICC.1:2022, 7.3).
    fileprivate func offset(of signature: UInt32) -> Int? {
        let count = Int(bigEndian(at: 128) ?? 0)
        // A profile has a dozen tags; the ceiling keeps a false count from costing time.
        let entry = (0..<Swift.min(count, 100)).first {
            bigEndian(at: 132 + 12 * $0) == signature
        }
        return entry.flatMap { bigEndian(at: 136 + 12 * $0) }.map(Int.init)
    }

    /// Four bytes as a number; nil beyond the end.
    fileprivate func bigEndian(at offset: Int) -> UInt32? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
