internal import AttachmentFormats
internal import CLCMS

/// A conversion of RGB pixels from an embedded profile to sRGB by Little CMS.
final class ProfileConversion {
    private let context: cmsContext
    private let transform: cmsHTRANSFORM

    /// Nil for a profile that cannot be used for RGB; such pixels count as sRGB.
    init?(from profile: [UInt8]) {
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
        let format = cmsUInt32Number(Self.rgbBytes)
        guard cmsGetColorSpace(source) == cmsSigRgbData,
            let transform = cmsCreateTransformTHR(
                context, source, format, target, format, cmsUInt32Number(intent),
                cmsUInt32Number(cmsFLAGS_NOCACHE))
        else {
            cmsDeleteContext(context)
            return nil
        }
        (self.context, self.transform) = (context, transform)
    }

    /// Converts interleaved pixels of three bytes, in place.
    func convert(_ pixels: UnsafeMutableRawBufferPointer) {
        // Little CMS reads and writes that many pixels, which may be the same.
        cmsDoTransform(
            transform, pixels.baseAddress, pixels.baseAddress, cmsUInt32Number(pixels.count / 3))
    }

    deinit {
        cmsDeleteTransform(transform)
        cmsDeleteContext(context)
    }

    /// `TYPE_RGB_8` of lcms2.h, a macro that Swift does not import: the colour space, three
    /// channels of one byte.
    private static let rgbBytes = CInt(PT_RGB) << 16 | 3 << 3 | 1
}
