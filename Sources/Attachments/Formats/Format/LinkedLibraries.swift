import CZlib

#if SYSTEM_CODECS
    import CDav1d
    import CDe265
    import CTIFF
    import CWebP
#endif

/// Libraries that decode formats, with the versions that this process has loaded.
package enum LinkedLibraries {
    /// Names with versions, such as `zlib 1.2.13`.
    package static var ofFormats: [String] {
        #if SYSTEM_CODECS
            // The first of several lines is "LIBTIFF, Version 4.5.0".
            let tiff =
                String(cString: TIFFGetVersion()).prefix { $0 != "\n" }
                .split(separator: " ").last ?? ""
            let webP = UInt32(bitPattern: WebPGetDecoderVersion())
            let codecs = [
                "libtiff \(tiff)",
                // A byte for each number (webp/decode.h).
                "libwebp \(webP >> 16).\(webP >> 8 & 255).\(webP & 255)",
                "dav1d \(String(cString: dav1d_version()))",
                "libde265 \(String(cString: de265_get_version()))",
            ]
        #else
            let codecs: [String] = []
        #endif
        return codecs + ["zlib \(String(cString: zlibVersion()))"]
    }
}
