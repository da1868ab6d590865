public import AttachmentContainer

/// How one attachment will be decoded, resized and encoded.
///
/// An immutable value: made from the header and the settings alone, before any pixel is decoded.
public struct Plan: Sendable, Hashable, Codable {
    /// What the probe learnt.
    public let header: AttachmentHeader
    /// The size of the expanded rendition, upright, in pixels.
    public let expandedSize: PixelSize
    /// The divisor, 1, 2, 4 or 8, that the JPEG decoder applies to both sides; 1 for other formats.
    public let loadShrink: Int
    /// The factor, at most 1, that the WebP decoder applies to both sides; 1 for other formats.
    public let loadScale: Double
    /// The kernel of the final reduction's horizontal pass; the vertical one has three lobes.
    public let kernel: Kernel
    /// What becomes of the file.
    public let treatment: Treatment
    /// How the decoder holds the picture.
    public let rung: Rung

    /// The size of the expanded rendition as stored in the file, before orientation, in pixels.
    public var expandedStoredSize: PixelSize { header.orientation.upright(expandedSize) }
}

extension Plan {
    /// What becomes of the attachment's file.
    public enum Treatment: String, Sendable, Codable {
        /// Decoded, resized and encoded.
        case encode
        /// It is ready to show as it is: the expanded rendition is a copy of it.
        case copy
        /// Copied when its alpha channel hides something; encoded when it is opaque throughout.
        case copyUnlessOpaque = "copy-unless-opaque"
    }

    /// A kernel to reduce with, by libvips' nickname.
    public enum Kernel: String, Sendable, Codable {
        /// Lanczos with three lobes.
        case lanczos3
        /// Lanczos with two lobes: a third less work.
        case lanczos2
    }

    /// How the decoder holds the picture, best first.
    public enum Rung: String, Sendable, Codable {
        /// A few rows at a time.
        case streamed
        /// The decoder keeps the whole picture, at its load-time size.
        case wholePicture = "whole-picture"
    }
}

extension Plan: CustomStringConvertible {
    /// The plan in one line for a person.
    public var description: String {
        let source = "\(header.uprightSize) \(header.format.rawValue) (\(header.coding.rawValue))"
        guard treatment == .encode else { return "\(source): kept as it is" }
        let shrink = loadShrink > 1 ? ", decoded at 1/\(loadShrink)" : ""
        return "\(source): \(rung.rawValue)\(shrink), resized to \(expandedSize)"
    }
}
