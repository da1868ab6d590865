internal import CVips

extension VipsImage {
    /// True if the embedded RGB profile is wider than sRGB, according to its red primary.
    ///
    /// The `rXYZ` tag (ICC.1:2022, 9.2.44) of sRGB has X = 0.4361 after adaptation to D50; Display
    /// P3 has 0.5151, Adobe RGB 0.6097, ProPhoto 0.7977. A profile without that tag counts as
    /// narrow.
    var isWiderThanSRGB: Bool {
        withProfile { profile in
            guard let tag = profile.offset(of: 0x7258_595A) else { return false }
            // An s15Fixed16 number after the type and four reserved bytes.
            let red = profile.bigEndian(at: tag + 8).map { Double(Int32(bitPattern: $0)) / 65536 }
            return red.map { $0 > 0.47 } ?? false
        }
    }

    /// The rendering intent for conversions, by libvips' nickname.
    ///
    /// It is relative colorimetric, which preserves colours that both spaces contain. A profile
    /// with only a perceptual table (`A2B0`), without a relative one (`A2B1`) and without
    /// primaries, needs the perceptual intent; libvips would ignore it otherwise.
    var renderingIntent: String {
        withProfile { profile in
            let (perceptual, relative, red) = (0x4132_4230, 0x4132_4231, 0x7258_595A)
            let isPerceptualOnly =
                profile.offset(of: UInt32(perceptual)) != nil
                && [relative, red].allSatisfy { profile.offset(of: UInt32($0)) == nil }
            return isPerceptualOnly ? "perceptual" : "relative"
        }
    }

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
    /// Offset of a tag's data; the tag table at byte 128 has a count, then signature, offset and
    /// size of each tag (ICC.1:2022, 7.3).
    fileprivate func offset(of signature: UInt32) -> Int? {
        let count = Int(bigEndian(at: 128) ?? 0)
        // Profiles have about a dozen tags; the limit bounds the time for a false count.
        let entry = (0..<Swift.min(count, 100)).first {
            bigEndian(at: 132 + 12 * $0) == signature
        }
        return entry.flatMap { bigEndian(at: 136 + 12 * $0) }.map(Int.init)
    }

    fileprivate func bigEndian(at offset: Int) -> UInt32? {
        guard offset >= 0, offset <= count - 4 else { return nil }
        return UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
