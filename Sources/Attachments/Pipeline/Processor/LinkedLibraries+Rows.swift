package import AttachmentFormats

#if SYSTEM_CODECS
    import CJPEG
    import CLCMS
    import CPNG
#endif

extension LinkedLibraries {
    /// Libraries of formats and of the engine of rows.
    package static var ofRows: [String] {
        #if SYSTEM_CODECS
            // 2140 is 2.14 (lcms2.h).
            let colours = Int(cmsGetEncodedCMMversion())
            return [
                "libjpeg-turbo \(String(cString: thimble_jpeg_version()))",
                "libpng \(String(cString: thimble_png_version()))",
                "lcms2 \(colours / 1000).\(colours % 1000 / 10)",
            ] + ofFormats
        #else
            return ofFormats
        #endif
    }
}
