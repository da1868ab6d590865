/// A supported picture format, detected by signature and never by file name.
public struct AttachmentFormat: RawRepresentable, Sendable, Hashable, Codable {
    /// Name in manifests and reports.
    public let rawValue: String

    /// Creates a format from its name in manifests and reports.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// JPEG (ITU-T T.81).
    public static let jpeg = AttachmentFormat(rawValue: "jpeg")
    /// PNG (ISO/IEC 15948), animated or not.
    public static let png = AttachmentFormat(rawValue: "png")
    /// WebP, lossy or lossless, animated or not.
    public static let webp = AttachmentFormat(rawValue: "webp")
    /// GIF87a and GIF89a.
    public static let gif = AttachmentFormat(rawValue: "gif")
    /// HEIF with HEVC pictures (ISO/IEC 23008-12).
    public static let heic = AttachmentFormat(rawValue: "heic")
    /// HEIF with AV1 pictures (AVIF).
    public static let avif = AttachmentFormat(rawValue: "avif")
    /// TIFF 6.0 and BigTIFF.
    public static let tiff = AttachmentFormat(rawValue: "tiff")
    /// BMP of Windows 3 to 5 and OS/2.
    public static let bmp = AttachmentFormat(rawValue: "bmp")
    /// JPEG XL (ISO/IEC 18181), bare or in boxes.
    public static let jpegXL = AttachmentFormat(rawValue: "jxl")
}
