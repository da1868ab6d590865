package import AttachmentContainer
public import AttachmentModel

extension Planner {
    /// Plans the second, small decode, whose picture covers a square of the given side.
    ///
    /// - Parameters:
    ///   - rendition: The header of the encoded expanded rendition.
    ///   - side: The side of the square, in pixels.
    ///   - isLinear: True if the picture is reduced in linear light; by default false.
    /// - Returns: The plan; its size keeps the rendition's proportions. The shorter side is `side`,
    ///   or the rendition's own if smaller.
    public static func bannerPlan(
        of rendition: AttachmentHeader, side: Int, isLinear: Bool = false
    ) -> Plan {
        let covering = coveringSize(of: rendition.storedSize, side: side)
        return Plan(
            rendition, [.banner],
            at: Sizes(reduced: covering, whole: covering, expanded: covering, renditions: []),
            loadShrink: loadShrink(of: rendition, to: covering, isLinear: isLinear),
            decoder: .library,
            engine: .libvips, usesScratch: false, rung: .streamed)
    }

    /// Size at which a picture covers a square; never enlarged.
    package static func coveringSize(of size: PixelSize, side: Int) -> PixelSize {
        size.scaled(by: min(1, Double(side) / Double(min(size.width, size.height))))
    }

    /// Largest shrink-on-load divisor that still covers the target and keeps the pixel grid.
    ///
    /// libjpeg-turbo decodes at 1/2, 1/4 and 1/8 with smaller inverse transforms. The result agrees
    /// with a full decode and a Lanczos reduction to 38 dB or more, if some reduction remains for
    /// the final kernel. A side that the divisor does not divide breaks the agreement: libvips
    /// drops the remainder and stretches the rest to the target.
    ///
    /// It is 1 for linear light, because the smaller transforms average coded samples. A decode at 1/2
    /// costs photographs up to 0.9 points by SSIMULACRA2, and lights of 1 to 3 pixels at night 75 and
    /// more, whatever the reduction that remains (measured with 4 pictures, 2.33 to 4.66).
    static func loadShrink(
        of header: AttachmentHeader, to target: PixelSize, isLinear: Bool
    ) -> Int {
        guard header.coding.shrinkOnLoad == .divisors, !isLinear else { return 1 }
        let stored = header.storedSize
        return [8, 4, 2].first { shrink in
            [(stored.width, target.width), (stored.height, target.height)].allSatisfy {
                stored, target in
                let decoded = stored / shrink
                let lost = stored % shrink
                let displacement = Double(lost * target) / Double(stored)
                return Double(decoded) >= finalReduction * Double(target)
                    && displacement <= maximumDisplacement
            }
        } ?? 1
    }

    /// Minimum reduction for the final kernel, which only blurs when closer to 1.
    ///
    /// Measured on the hardest photograph: 37.9 dB at 1.03, 38.3 dB at 1.15.
    static let finalReduction = 1.05

    /// Maximum displacement of the last column or row, in pixels of the rendition.
    ///
    /// An eighth does not show in comparisons with the exact grid; half a pixel costs 6 dB
    /// (measured).
    static let maximumDisplacement = 0.125

    /// Kernel of the horizontal pass.
    ///
    /// libvips 8.14 computes that pass without vector instructions, which is two fifths of the time
    /// for a JPEG. Two lobes take a third less. After a full decode they agree with three lobes to
    /// more than 41 dB. Shrink-on-load has already softened the picture: there, and for larger
    /// reductions, three lobes are needed.
    static func kernel(
        from stored: PixelSize, to target: PixelSize, loadShrink: Int
    ) -> Plan.Kernel {
        let reduction = Double(stored.width) / Double(target.width)
        return loadShrink == 1 && reduction < 2 * finalReduction ? .lanczos2 : .lanczos3
    }

    func box(of header: AttachmentHeader, _ reduced: PixelSize, _ loadShrink: Int) -> PixelSize {
        let decoder = boundedDecoder(of: header)
        guard settings.isLinear || !header.coding.isScaledByDecoder(header, decoder) else {
            return .one
        }
        return Self.box(from: header.decodedSize(at: loadShrink), to: header.decoded(reduced))
    }

    /// Box filter that leaves the required reduction to the kernel; 1×1 for no filter.
    package static func box(from decoded: PixelSize, to target: PixelSize) -> PixelSize {
        PixelSize(
            width: max(1, Int(Double(decoded.width) / Double(target.width) / kernelReduction)),
            height: max(1, Int(Double(decoded.height) / Double(target.height) / kernelReduction)))
    }

    /// Minimum reduction that the box filter leaves to each kernel.
    ///
    /// Fewer and shorter rows wait for the vertical pass than with libvips' own 2. Measured: 1 MB
    /// less for 12 megapixels, and 44 dB of agreement with the kernels alone, which take half the
    /// time.
    static let kernelReduction = 1.5

    static func loadScale(
        of header: AttachmentHeader, to target: PixelSize, isLinear: Bool
    ) -> Double {
        guard header.coding.shrinkOnLoad == .anySize, !isLinear else { return 1 }
        let stored = header.storedSize
        return min(
            1,
            max(
                Double(target.width) / Double(stored.width),
                Double(target.height) / Double(stored.height)))
    }

    /// Size for a decoder that scales to any size, in the orientation of the file; the whole picture for
    /// linear light.
    package func requestedSize(of plan: Plan) -> PixelSize {
        settings.isLinear ? plan.decodedHeader.storedSize : plan.reducedStoredSize
    }

    /// Copies a display-ready file, because encoding it again would only lose quality.
    func treatment(
        of header: AttachmentHeader, _ sizes: Sizes, by engine: Engine
    ) -> Plan.Treatment {
        guard settings.presets.includesContent, !sizes.isCropped,
            header.uprightSize == sizes.whole, header.fileBytes <= settings.maximumBytes,
            settings.permitsType(of: header)
        else { return .encode }
        if engine == .rows, canTurn(header, sizes) { return .turn }
        guard header.isDisplayReady else { return .encode }
        guard header.hasMetadata else {
            // A palette has no alpha plane to be rid of.
            return header.hasAlpha && header.colourModel != .palette ? .copyUnlessOpaque : .copy
        }
        return engine == .rows ? .strip : .encode
    }

    /// True for stills that only have to be turned, if their coefficients can be held.
    private func canTurn(_ header: AttachmentHeader, _ sizes: Sizes) -> Bool {
        guard header.orientation != .upright, !header.convertsColours,
            header.colourModel != .cmyk, !header.mustBeEncoded, !header.isAnimated,
            let turning = header.coding.turning(of: header)
        else { return false }
        // In scratch files there must be room for the banner's picture too.
        let room = settings.maximumScratchBytes.bytes - 3 * sizes.reduced.pixelCount
        return !rowsUseScratch(header, sizes) || turning.held <= Double(room)
    }
}

extension ProcessingSettings {
    /// True if the file itself may become a rendition by its type.
    fileprivate func permitsType(of header: AttachmentHeader) -> Bool {
        switch stillType {
        case nil: true
        case .jpeg: header.format == .jpeg
        case .png: header.format == .png
        case .gif: header.format == .gif
        }
    }

    /// True if stills with the header's alpha are encoded as PNG, which takes more memory.
    func encodesPNG(_ header: AttachmentHeader) -> Bool { header.hasAlpha || stillType == .png }

    /// True if pictures of luma and chroma are held as RGB: PNG has no other form, and scores compare with
    /// the picture before its chroma is halved.
    package var holdsRGB: Bool { targetScore != nil || stillType == .png }
}

extension PixelSize {
    static let one = PixelSize(width: 1, height: 1)
}

extension AttachmentHeader {
    func decodedSize(at loadShrink: Int) -> PixelSize {
        let size = decoded(uprightSize)
        return PixelSize(width: size.width / loadShrink, height: size.height / loadShrink)
    }

    /// Size of the upright picture in the decoder's output; some decoders apply the orientation.
    func decoded(_ upright: PixelSize) -> PixelSize {
        coding.isOrientedByDecoder ? upright : orientation.upright(upright)
    }

    /// True for stills whose pixels can be shown unchanged.
    ///
    /// These are baseline JPEG, plain PNG or GIF, upright, in sRGB, 8 bits.
    var isDisplayReady: Bool {
        coding.isDisplayReady(self) && orientation == .upright && !convertsColours
            && !mustBeEncoded && !isAnimated
    }
}
