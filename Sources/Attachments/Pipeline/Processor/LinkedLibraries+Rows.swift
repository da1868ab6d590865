package import AttachmentFormats

#if SYSTEM_CODECS
    import CImageQuant
    import CJPEG
    import CLCMS
    import CPNG
#endif

extension LinkedLibraries {
    /// Libraries of formats and of the engine of rows.
    package static var ofRows: [String] {
        #if SYSTEM_CODECS
            // 21700 is 2.17.0 (libimagequant.h), 2140 is 2.14 (lcms2.h).
            let quantiser = Int(liq_version())
            let colours = Int(cmsGetEncodedCMMversion())
            return [
                "libjpeg-turbo \(String(cString: thimble_jpeg_version()))",
                "libpng \(String(cString: thimble_png_version()))",
                "libimagequant \(quantiser / 10_000).\(quantiser / 100 % 100).\(quantiser % 100)",
                "lcms2 \(colours / 1000).\(colours % 1000 / 10)",
            ] + ofFormats
        #else
            return ofFormats
        #endif
    }
}
