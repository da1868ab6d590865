#if SYSTEM_CODECS
    internal import CJXL
#endif

/// libjxl, as this process has loaded it.
package enum JPEGXLLibrary {
    /// The version; nil for a build without the library.
    package static var version: String? {
        #if SYSTEM_CODECS
            // 7000 is 0.7.0 (jxl/decode.h).
            let number = JxlDecoderVersion()
            return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
        #else
            return nil
        #endif
    }
}
