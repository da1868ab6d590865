/// Supported picture formats, detected by signature and never by file name.
public enum AttachmentFormat: String, Sendable, Codable, CaseIterable {
    /// JPEG (ITU-T T.81).
    case jpeg
    /// PNG (ISO/IEC 15948), animated or not.
    case png
    /// WebP, lossy or lossless, animated or not.
    case webp
    /// GIF87a and GIF89a.
    case gif
    /// HEIF with HEVC pictures (ISO/IEC 23008-12).
    case heic
    /// HEIF with AV1 pictures (AVIF).
    case avif
    /// TIFF 6.0 and BigTIFF.
    case tiff
}
