#if SYSTEM_CODECS
    internal import AttachmentFormats
    internal import CLCMS

    /// A conversion of grey, RGB or CMYK pixels from an embedded profile to sRGB by Little CMS.
    ///
    /// Relative colorimetric with black point compensation: colours that both spaces contain stay as
    /// they are. Without compensation, the darkest inks of common press profiles are 41 of 255. With
    /// it, as by the perceptual table, they are 20 to 26 (measured); that table would move all other
    /// colours too.
    final class ProfileConversion: InkConverting {
        private let context: cmsContext
        private let transform: cmsHTRANSFORM
        /// Samples of a converted pixel.
        private let bands: Int
        /// Converted levels of grey, which stays grey; empty for other pixels.
        private let levels: [UInt8]

        /// Nil for a profile that Little CMS cannot use for these pixels.
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
            let isGrey = layout.colours.isGrey
            let rgb = Self.rgbBytes | (layout.hasAlpha && !isGrey ? Self.alphaByte : 0)
            guard
                let transform = cmsCreateTransformTHR(
                    context, source, cmsUInt32Number(Self.samples(of: layout) ?? rgb), target,
                    cmsUInt32Number(rgb), cmsUInt32Number(intent),
                    cmsUInt32Number(cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION))
            else {
                cmsDeleteContext(context)
                return nil
            }
            (self.context, self.transform) = (context, transform)
            // Planes of YCbCr are woven to RGB before.
            bands = isGrey ? layout.bands : layout.hasAlpha ? 4 : 3
            levels = isGrey ? Self.levels(of: transform) : []
        }

        /// Converts interleaved pixels of a byte a sample, in place; alpha stays.
        func convert(_ pixels: UnsafeMutableRawBufferPointer) {
            guard !levels.isEmpty else {
                return convert(UnsafeRawPointer(pixels.baseAddress), to: pixels, bands: bands)
            }
            for index in stride(from: 0, to: pixels.count, by: bands) {
                pixels[index] = levels[Int(pixels[index])]
            }
        }

        func convertInks(_ source: UnsafeRawPointer, to pixels: UnsafeMutableRawBufferPointer) {
            convert(source, to: pixels, bands: 3)
        }

        private func convert(
            _ source: UnsafeRawPointer?, to pixels: UnsafeMutableRawBufferPointer, bands: Int
        ) {
            cmsDoTransform(
                transform, source, pixels.baseAddress, cmsUInt32Number(pixels.count / bands))
        }

        deinit {
            cmsDeleteTransform(transform)
            cmsDeleteContext(context)
        }

        /// The green of each level of grey: all three are equal but for rounding.
        private static func levels(of transform: cmsHTRANSFORM) -> [UInt8] {
            let levels = (0...255).map { UInt8($0) }
            var colours = [UInt8](repeating: 0, count: 3 * levels.count)
            cmsDoTransform(transform, levels, &colours, cmsUInt32Number(levels.count))
            return levels.indices.map { colours[3 * $0 + 1] }
        }

        /// `TYPE_GRAY_8`, `TYPE_CMYK_8` or `TYPE_CMYK_16`, or the reverse of inks; nil for RGB.
        private static func samples(of layout: PlaneLayout) -> CInt? {
            if layout.colours.isGrey { return CInt(PT_GRAY) << 16 | 1 << 3 | 1 }
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
