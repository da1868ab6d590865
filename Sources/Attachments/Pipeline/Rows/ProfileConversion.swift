#if SYSTEM_CODECS
    internal import AttachmentFormats
    internal import CLCMS

    /// A conversion of grey, RGB or CMYK pixels from an embedded profile to sRGB by Little CMS.
    ///
    /// Relative colorimetric with black point compensation: colours that both spaces contain stay as
    /// they are. Without compensation, the darkest inks of common press profiles are 41 of 255. With
    /// it, as by the perceptual table, they are 20 to 26 (measured); that table would move all other
    /// colours too.
    final class ProfileConversion: RowConverting {
        private let context: cmsContext
        private let transform: cmsHTRANSFORM
        /// Samples of a converted pixel.
        private let bands: Int
        /// Converted levels of grey, which stays grey; empty for other pixels.
        let levels: [UInt8]
        /// True for a source of two bytes a sample.
        private let isDeep: Bool

        /// Nil for a profile that Little CMS cannot use for these pixels.
        ///
        /// Samples have a byte, or for inks and with `isDeep` as many bytes as in the layout.
        init?(from profile: [UInt8], of layout: PlaneLayout, isDeep: Bool = false) {
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
            let alpha = layout.hasAlpha && !isGrey ? Self.alphaSample : 0
            let rgb = Self.rgb | alpha | 1
            let bytes = CInt(isDeep || layout.hasInks ? layout.sampleBytes : 1)
            let samples = Self.samples(of: layout) | alpha | bytes
            // For grey, Little CMS would interpolate between 33 levels, but few pixels are converted.
            let flags =
                cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_COPY_ALPHA
                | (isGrey ? cmsFLAGS_NOOPTIMIZE : 0)
            guard
                let transform = cmsCreateTransformTHR(
                    context, source, cmsUInt32Number(samples), target,
                    cmsUInt32Number(rgb), cmsUInt32Number(intent),
                    cmsUInt32Number(flags))
            else {
                cmsDeleteContext(context)
                return nil
            }
            (self.context, self.transform) = (context, transform)
            // Planes of YCbCr are woven to RGB before.
            bands = isGrey ? layout.bands : layout.hasAlpha ? 4 : 3
            self.isDeep = isDeep
            levels = isGrey ? Self.levels(of: transform, isDeep: isDeep) : []
        }

        /// True if a step of 8 bits in the source is more than two steps in sRGB, as in dark parts of linear
        /// light.
        var isCoarse: Bool {
            let shown = neutralLevels
            return zip(shown, shown.dropFirst()).contains { abs($1 - $0) > 2 }
        }

        /// True if the tables of linear light suit the samples: neutral colours keep their levels but for
        /// 9 of 255, the most that a power of 2.2, as of Adobe RGB, differs from sRGB.
        var isCodedLikeSRGB: Bool {
            neutralLevels.enumerated().allSatisfy { abs($1 - $0) <= 9 }
        }

        /// Levels in sRGB of the 256 neutral colours.
        private var neutralLevels: [Int] {
            let steps = (0...255).map { UInt8($0) }
            var pixels =
                levels.isEmpty ? steps.flatMap { Array(repeating: $0, count: bands) } : steps
            if levels.isEmpty {
                pixels.withUnsafeMutableBytes { convert($0) }
            } else {
                pixels = levels
            }
            return stride(from: 0, to: pixels.count, by: levels.isEmpty ? bands : 1).map {
                Int(pixels[$0])
            }
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

        func convertRow(_ source: UnsafeRawPointer, to pixels: UnsafeMutableRawBufferPointer) {
            guard !levels.isEmpty else { return convert(source, to: pixels, bands: bands) }
            guard isDeep else {
                pixels.copyMemory(from: UnsafeRawBufferPointer(start: source, count: pixels.count))
                return convert(pixels)
            }
            for index in 0..<pixels.count {
                let sample = source.load(fromByteOffset: 2 * index, as: UInt16.self)
                pixels[index] =
                    index % bands == 0 ? levels[Int(sample)] : UInt8(sample >> 8)
            }
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
        private static func levels(of transform: cmsHTRANSFORM, isDeep: Bool) -> [UInt8] {
            var levels: [UInt8] = []
            var colours = [UInt8](repeating: 0, count: 3 * 256)
            for high in 0...(isDeep ? 255 : 0) {
                if isDeep {
                    let part = (0...255).map { UInt16(high << 8 | $0) }
                    cmsDoTransform(transform, part, &colours, 256)
                } else {
                    cmsDoTransform(transform, (0...255).map { UInt8($0) }, &colours, 256)
                }
                levels += (0...255).map { colours[3 * $0 + 1] }
            }
            return levels
        }

        /// `TYPE_GRAY_…`, `TYPE_RGB_…` or `TYPE_CMYK_…`, or the reverse of inks, without alpha and sample
        /// size.
        private static func samples(of layout: PlaneLayout) -> CInt {
            if layout.colours.isGrey { return CInt(PT_GRAY) << 16 | 1 << 3 }
            guard layout.hasInks else { return rgb }
            let reverse = layout.colours == .invertedCMYK ? 1 << 13 : 0 as CInt
            return CInt(PT_CMYK) << 16 | reverse | 4 << 3
        }

        // Macros of lcms2.h that Swift does not import: the colour space and three channels, and one channel
        // more, which is copied.
        private static let rgb = CInt(PT_RGB) << 16 | 3 << 3
        private static let alphaSample: CInt = 1 << 7
    }
#endif
