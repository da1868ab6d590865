/// Chroma subsampling of HEVC and AV1; pictures of luma only have none.
package enum ChromaSubsampling: String, Sendable, Hashable {
    case yCbCr420 = "4:2:0"
    case yCbCr422 = "4:2:2"
    case yCbCr444 = "4:4:4"

    /// Subsampling of a chroma_format_idc (H.265, table 6-1); dav1d numbers its layouts alike.
    init?(chromaFormat: Int) {
        switch chromaFormat {
        case 1: self = .yCbCr420
        case 2: self = .yCbCr422
        case 3: self = .yCbCr444
        default: return nil
        }
    }

    var samplesPerPixel: Double {
        switch self {
        case .yCbCr420: 1.5
        case .yCbCr422: 2
        case .yCbCr444: 3
        }
    }

    var shiftX: Int { self == .yCbCr444 ? 0 : 1 }
    var shiftY: Int { self == .yCbCr420 ? 1 : 0 }
}
