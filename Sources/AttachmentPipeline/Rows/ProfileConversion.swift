internal import AttachmentFormats
internal import CLCMS

/// A conversion of RGB or RGBA pixels from an embedded profile to sRGB by Little CMS.
final class ProfileConversion {
    private let context: cmsContext
    private let transform: cmsHTRANSFORM
    private let bands: Int

    /// Nil for a profile that cannot be used for RGB; such pixels count as sRGB.
    init?(from profile: [UInt8], hasAlpha: Bool) {
        guard let context = cmsCreateContext(nil, nil) else { return nil }
        guard
            let source = cmsOpenProfileFromMemTHR(
                context, profile, cmsUInt32Number(profile.count))
        else {
            cmsDeleteContext(context)
            return nil
        }
        defer { cmsCloseProfile(source) }
        let target = cmsCreate_sRGBProfileTHR(context)
        defer { cmsCloseProfile(target) }
        let intent =
            ICCProfile(profile).isPerceptualOnly
            ? INTENT_PERCEPTUAL : INTENT_RELATIVE_COLORIMETRIC
        let format = cmsUInt32Number(Self.rgbBytes | (hasAlpha ? Self.alphaByte : 0))
        guard cmsGetColorSpace(source) == cmsSigRgbData,
            let transform = cmsCreateTransformTHR(
                context, source, format, target, format, cmsUInt32Number(intent),
                cmsUInt32Number(cmsFLAGS_NOCACHE))
        else {
            cmsDeleteContext(context)
            return nil
        }
        (self.context, self.transform, bands) = (context, transform, hasAlpha ? 4 : 3)
    }

    /// Converts interleaved pixels of a byte a sample, in place; alpha stays.
    func convert(_ pixels: UnsafeMutableRawBufferPointer) {
        // Little CMS reads and writes that many pixels, which may be the same.
        cmsDoTransform(
            transform, pixels.baseAddress, pixels.baseAddress,
            cmsUInt32Number(pixels.count / bands))
    }

    deinit {
        cmsDeleteTransform(transform)
        cmsDeleteContext(context)
    }

    /// `TYPE_RGB_8` of lcms2.h, a macro that Swift does not import: the colour space, three
    /// channels of one byte.
    private static let rgbBytes = CInt(PT_RGB) << 16 | 3 << 3 | 1
    /// With `rgbBytes`, `TYPE_RGBA_8`: one channel more, which is skipped.
    private static let alphaByte: CInt = 1 << 7
}
