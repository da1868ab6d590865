public import AttachmentContainer

/// How one attachment will be decoded, resized and encoded.
///
/// An immutable value: made from the header and the settings alone, before any pixel is decoded.
public struct Plan: Sendable, Hashable, Codable {
    /// What the probe learnt.
    public let header: AttachmentHeader
    /// The size to which the whole picture is reduced, upright, in pixels.
    public let reducedSize: PixelSize
    /// The size of the expanded rendition, upright, in pixels: of the part that is kept of the reduced
    /// picture, or of all of it.
    public let expandedSize: PixelSize
    /// The divisor, 1, 2, 4 or 8, that the JPEG decoder applies to both sides; 1 for other formats.
    public let loadShrink: Int
    /// The factor, at most 1, that the WebP decoder applies to both sides; 1 for other formats.
    public let loadScale: Double
    /// The columns and rows that a box filter averages before the kernel: 1×1 for none.
    ///
    /// It leaves fewer and shorter rows to the kernel, and takes longer than the kernel alone.
    public let box: PixelSize
    /// The kernel of the final reduction's horizontal pass; the vertical one has three lobes.
    public let kernel: Kernel
    /// What becomes of the file.
    public let treatment: Treatment
    /// What decodes it.
    public let decoder: Decoder
    /// The largest that the animation can be within the budget of its decoded frames, in pixels.
    ///
    /// It gets smaller where its file would be too long. Nil on all rungs but `animated`.
    public let animationSize: PixelSize?
    /// Whether what is held whole (a decoder's frame or window, a picture that is to be turned) lies
    /// in a scratch file, which is not footprint.
    public let usesScratch: Bool
    /// How much of the ladder it needs.
    public let rung: Rung
    /// How much smaller than asked the sides of the expanded rendition are: 1 on all rungs but
    /// `reduced`.
    public let reduction: Double

    /// What the decoder is given: the attachment, on the rung `preview` its embedded picture, and of
    /// an animation the canvas that its frames are drawn on.
    public var decodedHeader: AttachmentHeader {
        guard decoder != .animation else { return header.canvas }
        guard rung == .preview, let preview = header.preview else { return header }
        var small = header
        (small.storedSize, small.uncroppedSize) = (preview.size, nil)
        small.frames = preview.frames
        small.unitSize = nil
        small.hasAlpha = false
        if preview.bytes != nil {
            (small.format, small.coding, small.bitsPerSample) = (.jpeg, .baseline, 8)
            (small.colourModel, small.profileBytes) = (.rgb, 0)
        } else {
            small.coding = .single
        }
        return small
    }

    /// The size to which the picture is reduced as it is stored, before orientation, in pixels.
    public var reducedStoredSize: PixelSize { decodedHeader.orientation.upright(reducedSize) }

    /// Whether something of the picture is cut off.
    public var isCropped: Bool { expandedSize != reducedSize }
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

    /// What decodes an attachment.
    public enum Decoder: String, Sendable, Codable {
        /// The loader of libvips.
        case library
        /// Ours, which keeps a few rows where the library keeps the whole picture.
        case bounded
        /// Ours, which draws the frames of an animation on a canvas in a scratch file.
        case animation
    }

    /// A kernel to reduce with, by libvips' nickname.
    public enum Kernel: String, Sendable, Codable {
        /// Lanczos with three lobes.
        case lanczos3
        /// Lanczos with two lobes: a third less work.
        case lanczos2
    }

    /// How much of the ladder was needed to stay under the cap, best first.
    public enum Rung: String, Sendable, Codable, CaseIterable {
        /// All frames of an animation, as a GIF, and its most telling frame as a still.
        case animated
        /// At full size, a few rows at a time.
        case streamed
        /// At full size, by a decoder of ours that keeps a few rows where the library keeps the
        /// whole picture.
        case bounded
        /// At full size; the decoder keeps the whole picture.
        case wholePicture = "whole-picture"
        /// At full size; what is held whole lies in a scratch file.
        case fileBacked = "file-backed"
        /// At a smaller size than asked, which still serves the banner.
        case reduced
        /// The small picture that a camera embedded beside the large one.
        case preview
    }
}

extension Plan.Rung: Comparable {
    /// Orders rungs by what becomes of the picture, best first.
    ///
    /// - Parameters:
    ///   - left: One rung.
    ///   - right: Another.
    /// - Returns: Whether `left` comes first.
    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }

    /// Whether the rendition has the size that was asked for, whatever it took.
    public var isFullSize: Bool { self < .reduced }
}

extension Plan: CustomStringConvertible {
    /// The plan in one line for a person.
    public var description: String {
        let source = "\(header.uprightSize) \(header.format.rawValue) (\(header.coding.rawValue))"
        guard treatment == .encode else { return "\(source): kept as it is" }
        if decoder == .animation {
            let frames = header.frameCount.map { "\($0) frames" } ?? "frames that are not counted"
            guard let animationSize else {
                return "\(source), \(frames): the most telling one, resized to \(reducedSize)"
            }
            return "\(source), \(frames): a GIF of at most \(animationSize), and the most telling "
                + "frame at \(expandedSize)"
        }
        let crop = isCropped ? ", cropped to \(expandedSize)" : ""
        if rung == .preview, let preview = header.preview {
            return "\(source): the embedded preview of \(preview.size)\(crop)"
        }
        let shrink = loadShrink > 1 ? ", decoded at 1/\(loadShrink)" : ""
        return "\(source): \(rung.rawValue)\(shrink), resized to \(reducedSize)\(crop)"
    }
}
