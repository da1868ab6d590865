package import AttachmentContainer

extension Planner {
    /// Plans the second, small decode: a picture that a square of the given side can be cut from.
    ///
    /// - Parameters:
    ///   - rendition: The header of the encoded expanded rendition.
    ///   - side: The side of the square, in pixels.
    /// - Returns: The plan; its size has the rendition's proportions and its shorter side is
    ///   `side`, or the rendition's own where that is shorter.
    public static func bannerPlan(of rendition: AttachmentHeader, side: Int) -> Plan {
        let size = rendition.storedSize
        let factor = min(1, Double(side) / Double(min(size.width, size.height)))
        let covering = PixelSize(
            width: Int((Double(size.width) * factor).rounded()),
            height: Int((Double(size.height) * factor).rounded()))
        return Plan(
            header: rendition, reducedSize: covering, expandedSize: covering,
            loadShrink: rendition.format == .jpeg ? loadShrink(from: size, to: covering) : 1,
            loadScale: 1, box: .one, kernel: .lanczos3, treatment: .encode, decoder: .library,
            animationSize: nil, usesScratch: false, rung: .streamed, reduction: 1)
    }

    /// The largest divisor of the JPEG decoder that still covers the target and keeps the grid.
    ///
    /// libjpeg-turbo decodes at 1/2, 1/4 and 1/8 with smaller inverse transforms, which agrees with
    /// a full decode followed by a Lanczos reduction to 38 dB and more as long as a little is left
    /// for the final kernel. What breaks the agreement is a side that the divisor does not divide:
    /// libvips drops what is left over, and the rest is stretched to the target.
    static func loadShrink(from stored: PixelSize, to target: PixelSize) -> Int {
        [8, 4, 2].first { shrink in
            [(stored.width, target.width), (stored.height, target.height)].allSatisfy {
                stored, target in
                let decoded = stored / shrink
                let lost = stored % shrink
                let displacement = Double(lost * target) / Double(stored)
                return Double(decoded) >= finalReduction * Double(target)
                    && displacement <= mostDisplacement
            }
        } ?? 1
    }

    /// What is left to the final kernel, at least: closer to 1 it only blurs (measured: 37.9 dB at
    /// 1.03, 38.3 dB at 1.15 on the hardest photograph).
    static let finalReduction = 1.05

    /// How far, in pixels of the rendition, the last column or row may be displaced: an eighth is
    /// below what a comparison with the exact grid shows (measured: half a pixel costs 6 dB).
    static let mostDisplacement = 0.125

    /// The kernel of the horizontal pass.
    ///
    /// libvips 8.14 computes that pass without vector instructions, which is two fifths of the time
    /// that a JPEG takes. With two lobes it takes a third less, and after a full decode the picture
    /// still agrees with three lobes in both directions to more than 41 dB. A shrinking decoder has
    /// softened the picture already: there, and over larger reductions, all three are needed.
    static func kernel(
        from stored: PixelSize, to target: PixelSize, loadShrink: Int
    ) -> Plan.Kernel {
        let reduction = Double(stored.width) / Double(target.width)
        return loadShrink == 1 && reduction < 2 * finalReduction ? .lanczos2 : .lanczos3
    }

    /// The box for an attachment: 1×1 where the decoder gives a picture of about the right size.
    func box(of header: AttachmentHeader, _ reduced: PixelSize, _ loadShrink: Int) -> PixelSize {
        guard !isScaledByDecoder(header) else { return .one }
        return Self.box(from: header.decodedSize(at: loadShrink), to: header.decoded(reduced))
    }

    /// Whether the decoder gives the picture at the size of the rendition: that of VP8 does, unless ours
    /// has alpha to put beside the colours.
    private func isScaledByDecoder(_ header: AttachmentHeader) -> Bool {
        guard header.format == .webp, header.coding != .lossless || header.isAnimated else {
            return false
        }
        return decoder(of: header) == .library || !header.hasAlpha
    }

    /// The box that leaves to the kernel what it must have.
    ///
    /// - Parameters:
    ///   - decoded: The picture, in pixels.
    ///   - target: What it is reduced to, in pixels.
    /// - Returns: The columns and rows of the box; 1×1 for none.
    package static func box(from decoded: PixelSize, to target: PixelSize) -> PixelSize {
        PixelSize(
            width: max(1, Int(Double(decoded.width) / Double(target.width) / leftToKernel)),
            height: max(1, Int(Double(decoded.height) / Double(target.height) / leftToKernel)))
    }

    /// What the box filter leaves to each kernel, at least: fewer and shorter rows wait for the
    /// vertical pass than with libvips' own 2 (measured: 1 MB less for 12 megapixels, and 44 dB of
    /// agreement with the kernels alone, which take half the time).
    static let leftToKernel = 1.5

    /// The factor of the WebP decoder that gives the target's size.
    static func loadScale(from stored: PixelSize, to target: PixelSize) -> Double {
        min(
            1,
            max(
                Double(target.width) / Double(stored.width),
                Double(target.height) / Double(stored.height)))
    }

    /// Whether the file can be shown as it is, so that encoding it again would only lose quality.
    func treatment(of header: AttachmentHeader, _ sizes: Sizes) -> Plan.Treatment {
        guard header.isDisplayReady, !sizes.isCropped, header.uprightSize == sizes.reduced,
            header.fileBytes <= settings.maximumBytes
        else { return .encode }
        return header.hasAlpha ? .copyUnlessOpaque : .copy
    }
}

extension PixelSize {
    /// A single pixel.
    static let one = PixelSize(width: 1, height: 1)
}

extension AttachmentHeader {
    /// The size at which the decoder gives the picture, in pixels.
    func decodedSize(at loadShrink: Int) -> PixelSize {
        let size = decoded(uprightSize)
        return PixelSize(width: size.width / loadShrink, height: size.height / loadShrink)
    }

    /// A size of the upright picture as its decoder gives it, which some turn upright themselves.
    func decoded(_ upright: PixelSize) -> PixelSize {
        format.decoderOrients ? upright : orientation.upright(upright)
    }

    /// Whether a content extension can show the file at once, and nothing in it should be removed:
    /// baseline JPEG or plain PNG, upright, in sRGB, of eight bits, a still without metadata.
    var isDisplayReady: Bool {
        let isReadyCoding =
            switch (format, coding) {
            case (.jpeg, .baseline): colourModel != .cmyk
            case (.png, .sequential): bitsPerSample <= 8
            default: false
            }
        return isReadyCoding && orientation == .upright && profileBytes == 0 && !hasMetadata
            && !isAnimated
    }

    /// Whether the library keeps the whole picture while it decodes this coding.
    var isHeldWhole: Bool {
        switch (format, coding) {
        case (.jpeg, .baseline), (.png, .sequential), (.tiff, _): false
        // Arithmetic coding may be progressive as well; the header's SOF tells them apart only as
        // one coding, so the dearer is assumed.
        case (.jpeg, _), (.png, _): true
        case (.webp, _), (.gif, _), (.heic, _), (.avif, _): true
        }
    }
}
