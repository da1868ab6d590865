/// Permitted loaders, all of byte streams; all others are blocked.
package enum VipsLoader: String, CaseIterable, Sendable {
    /// JPEG, through libjpeg-turbo.
    case jpeg = "jpegload_source"
    /// PNG, through libpng.
    case png = "pngload_source"
    /// WebP, through libwebp.
    case webp = "webpload_source"
    /// GIF, through libnsgif.
    case gif = "gifload_source"
    /// HEIC and AVIF, through libheif.
    case heif = "heifload_source"
    /// TIFF, through libtiff.
    case tiff = "tiffload_source"

    /// The class name for blocking and unblocking.
    var className: String {
        switch self {
        case .jpeg: "VipsForeignLoadJpegSource"
        case .png: "VipsForeignLoadPngSource"
        case .webp: "VipsForeignLoadWebpSource"
        case .gif: "VipsForeignLoadNsgifSource"
        case .heif: "VipsForeignLoadHeifSource"
        case .tiff: "VipsForeignLoadTiffSource"
        }
    }
}
