/// Permitted loaders, all of byte streams; all others are blocked.
package enum VipsLoader: String, CaseIterable, Sendable {
    case jpeg = "jpegload_source"
    case png = "pngload_source"
    case webp = "webpload_source"
    case gif = "gifload_source"
    case heif = "heifload_source"
    case tiff = "tiffload_source"

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
