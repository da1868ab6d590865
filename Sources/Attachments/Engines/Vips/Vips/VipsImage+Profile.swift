internal import AttachmentFormats

#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

extension VipsImage {
    /// True if the embedded RGB profile is wider than sRGB.
    var isWiderThanSRGB: Bool { withProfile { ICCProfile($0).isWiderThanSRGB } }

    /// The rendering intent for conversions, by libvips' nickname.
    ///
    /// libvips would ignore a profile that lacks the table of the intent.
    var renderingIntent: String {
        withProfile { ICCProfile($0).isPerceptualOnly } ? "perceptual" : "relative"
    }

    package var profile: [UInt8]? { hasProfile ? withProfile { Array($0) } : nil }

    func settingProfile(_ profile: [UInt8]) throws(VipsError) -> VipsImage {
        let copy = try applying("copy")
        vips_image_set_blob_copy(copy.pointer, "icc-profile-data", profile, profile.count)
        return copy
    }

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
