public import AttachmentContainer
public import AttachmentModel

/// Plan for decoding, resizing and encoding one attachment.
///
/// An immutable value, made from the header and the settings alone before any pixel is decoded.
public struct Plan: Sendable, Hashable {
    /// Header facts from the probe.
    public let header: AttachmentHeader
    /// Presets of the renditions.
    public let presets: PresetSelection
    /// Upright size of the whole decoded picture, in pixels; it covers every rendition.
    public let reducedSize: PixelSize
    /// Upright size of the whole picture before the expanded rendition's crop, in pixels.
    ///
    /// The decoded picture's size, unless a preset needs a larger one.
    public let wholeSize: PixelSize
    /// Upright size of the expanded rendition, in pixels: the whole picture after any crop.
    ///
    /// The decoded picture's size, if no expanded rendition is made.
    public let expandedSize: PixelSize
    /// Renditions of presets with a surface of their own.
    public let renditions: [PlannedRendition]
    /// Shrink-on-load divisor of the JPEG decoder, 1, 2, 4 or 8; 1 for other formats.
    public let loadShrink: Int
    /// Scale factor of the WebP decoder, at most 1; 1 for other formats.
    public let loadScale: Double
    /// Columns and rows averaged by the box filter before the kernel; 1×1 for no filter.
    ///
    /// The filter leaves fewer and shorter rows to the kernel, but takes longer in total.
    public let box: PixelSize
    /// Kernel of the final reduction's horizontal pass; the vertical one is always Lanczos 3.
    public let kernel: Kernel
    /// Treatment of the file.
    public let treatment: Treatment
    /// Decoder.
    public let decoder: Decoder
    /// Engine that resizes, converts and encodes.
    public let engine: Engine
    /// Maximum size of the animation within the render budget of its decoded frames, in pixels.
    ///
    /// It shrinks further when the file would be too long. Nil on all rungs but `animated`.
    public let animationSize: PixelSize?
    /// True if data held whole lies in a scratch file, which is not footprint.
    ///
    /// Examples are a decoder's frame or window, or a picture before rotation.
    public let usesScratch: Bool
    /// Rung of the ladder.
    public let rung: Rung
    /// Factor of the decoded picture's sides relative to the requested size.
    ///
    /// 1 on all rungs but `reduced`.
    public let reduction: Double
    /// Factor of the expanded rendition's sides relative to the requested size, at least `reduction`.
    package let expandedReduction: Double

    /// Header of the decoder's input.
    ///
    /// It is the embedded picture on the rung `preview`, the canvas for an animation, and otherwise
    /// the attachment.
    public var decodedHeader: AttachmentHeader {
        guard decoder != .animation else { return header.canvas }
        guard rung == .preview, let preview = header.preview else { return header }
        var small = header
        (small.storedSize, small.uncroppedSize) = (preview.size, nil)
        (small.coding, small.hasAlpha) = (preview.coding, false)
        if preview.bytes != nil {
            (small.bitsPerSample, small.colourModel, small.profileBytes) = (8, .rgb, 0)
            small.colourTags = nil
        }
        return small
    }

    /// Reduced size as stored, before orientation, in pixels.
    public var reducedStoredSize: PixelSize { decodedHeader.orientation.upright(reducedSize) }

    /// Quality of a rendition, which is not encoded better than its source.
    ///
    /// Reduced to half and less, the source's artefacts average out, and the requested quality
    /// pays.
    ///
    /// - Parameters:
    ///   - requested: The quality of the settings.
    ///   - whole: The size of the whole picture before any crop.
    /// - Returns: The requested quality, or the source's if it is lower.
    package func quality(atMost requested: Int, of whole: PixelSize) -> Int {
        let source = decodedHeader
        guard let own = source.coding.quality,
            2 * whole.width > source.uprightSize.width
        else { return requested }
        return min(requested, own)
    }

    /// True if the plan crops the expanded rendition.
    public var isCropped: Bool { expandedSize != wholeSize }

    /// True if the expanded rendition is made from a larger picture, which other presets need.
    package var isReducedTwice: Bool { wholeSize != reducedSize }

    init(
        _ header: AttachmentHeader, _ presets: PresetSelection, at sizes: Planner.Sizes,
        loadShrink: Int = 1, loadScale: Double = 1, box: PixelSize = .one,
        kernel: Kernel = .lanczos3, treatment: Treatment = .encode, decoder: Decoder,
        engine: Engine, animationSize: PixelSize? = nil, usesScratch: Bool, rung: Rung,
        reduction: Double = 1
    ) {
        self.header = header
        self.presets = presets
        reducedSize = sizes.reduced
        wholeSize = sizes.whole
        expandedSize = sizes.expanded
        renditions = sizes.renditions
        self.loadShrink = loadShrink
        self.loadScale = loadScale
        self.box = box
        self.kernel = kernel
        self.treatment = treatment
        self.decoder = decoder
        self.engine = engine
        self.animationSize = animationSize
        self.usesScratch = usesScratch
        self.rung = rung
        self.reduction = reduction
        expandedReduction = sizes.expandedReduction
    }
}

extension Plan {
    /// Treatment of the attachment's file.
    public enum Treatment: Sendable {
        /// Decoded, resized and encoded.
        case encode
        /// The file is ready for display; the expanded rendition is a copy.
        case copy
        /// Ready for display but for its metadata; the expanded rendition is a copy without it.
        case strip
        /// Ready for display but for its orientation, metadata and coding; the expanded rendition has
        /// the same coefficients, turned upright.
        case turn
        /// Copied if any pixel is transparent; encoded if all are opaque.
        case copyUnlessOpaque
    }

    /// Decoders of an attachment.
    public enum Decoder: Sendable {
        /// libvips' loader.
        case library
        /// Thimble's decoder, which holds a few rows where the library holds the whole picture.
        case bounded
        /// Thimble's decoder, which draws animation frames on a canvas.
        case animation
    }

    /// Reduction kernels, by libvips' nicknames.
    public enum Kernel: String, Sendable {
        /// Lanczos with three lobes.
        case lanczos3
        /// Lanczos with two lobes, a third less work.
        case lanczos2
    }
}

extension Plan: CustomStringConvertible {
    /// The plan in one line.
    public var description: String {
        let others = renditions.map { "\($0.preset.rawValue) of \($0.size)" }
        let content = presets.includesContent ? contentDescription : pictureDescription
        guard !others.isEmpty else { return content }
        return content + (presets.includesContent ? "; " : ", for ")
            + others.joined(separator: ", ")
    }

    private var contentDescription: String {
        guard isReducedTwice else { return pictureDescription }
        return "\(pictureDescription); expanded of \(expandedSize)"
    }

    /// Source and decoded picture.
    private var pictureDescription: String {
        let source = "\(header.uprightSize) \(header.format.rawValue) (\(header.coding.name))"
        switch treatment {
        case .encode: break
        case .strip: return "\(source): kept without its metadata"
        case .turn: return "\(source): turned without loss"
        case .copy, .copyUnlessOpaque: return "\(source): kept as it is"
        }
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
