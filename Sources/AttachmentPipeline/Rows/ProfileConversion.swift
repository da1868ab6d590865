#if SYSTEM_CODECS
    internal import AttachmentFormats
    internal import CLCMS

    /// A conversion of RGB, RGBA or CMYK pixels from an embedded profile to sRGB by Little CMS.
    final class ProfileConversion {
        private let context: cmsContext
        private let transform: cmsHTRANSFORM
        /// Samples of a converted pixel.
        private let bands: Int

        /// Nil for a profile that cannot be used for these pixels.
        init?(from profile: [UInt8], of layout: PlaneLayout) {
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
            let rgb = Self.rgbBytes | (layout.hasAlpha ? Self.alphaByte : 0)
            let inks = Self.inks(of: layout)
            guard cmsGetColorSpace(source) == (inks == nil ? cmsSigRgbData : cmsSigCmykData),
                let transform = cmsCreateTransformTHR(
                    context, source, cmsUInt32Number(inks ?? rgb), target, cmsUInt32Number(rgb),
                    cmsUInt32Number(intent), cmsUInt32Number(cmsFLAGS_NOCACHE))
            else {
                cmsDeleteContext(context)
                return nil
            }
            (self.context, self.transform, bands) = (context, transform, layout.hasAlpha ? 4 : 3)
        }

        /// Converts interleaved pixels of a byte a sample, in place; alpha stays.
        func convert(_ pixels: UnsafeMutableRawBufferPointer) {
            convert(UnsafeRawPointer(pixels.baseAddress), to: pixels)
        }

        /// Converts as many pixels as `pixels` has room for; of RGB, `source` may be the same memory.
        func convert(_ source: UnsafeRawPointer?, to pixels: UnsafeMutableRawBufferPointer) {
            cmsDoTransform(
                transform, source, pixels.baseAddress, cmsUInt32Number(pixels.count / bands))
        }

        deinit {
            cmsDeleteTransform(transform)
            cmsDeleteContext(context)
        }

        /// `TYPE_CMYK_8` or `TYPE_CMYK_16`, or the reverse of it; nil for other pixels.
        private static func inks(of layout: PlaneLayout) -> CInt? {
            guard layout.hasInks else { return nil }
            let reverse = layout.colours == .invertedCMYK ? 1 << 13 : 0 as CInt
            return CInt(PT_CMYK) << 16 | reverse | 4 << 3 | CInt(layout.sampleBytes)
        }

        /// `TYPE_RGB_8` of lcms2.h, a macro that Swift does not import: the colour space, three
        /// channels of one byte.
        private static let rgbBytes = CInt(PT_RGB) << 16 | 3 << 3 | 1
        /// With `rgbBytes`, `TYPE_RGBA_8`: one channel more, which is skipped.
        private static let alphaByte: CInt = 1 << 7
    }
#endif
