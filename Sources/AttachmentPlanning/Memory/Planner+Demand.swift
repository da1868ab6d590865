import AttachmentContainer

/// What the steps of the pipeline take of memory, from the header alone.
///
/// Every term is an upper bound that never falls when a picture grows in its proportions: the
/// decoder's divisor, which may make a larger picture cheaper, is not counted on. The constants are measured
/// (`make bench`, libvips 8.14.1): never below what a file took, nor above twice of it and 2 MB.
extension Planner {
    /// Lists what a plan takes beside the baseline.
    ///
    /// - Parameter plan: The plan.
    /// - Returns: The terms; they are held at the same time at the most.
    func demand(of plan: Plan) -> MemoryDemand {
        guard plan.treatment != .copy else {
            return MemoryDemand([
                ("warming up", Double(MemoryDemand.warmUp.bytes)), ("banner", banner(of: plan)),
            ])
        }
        let header = plan.decodedHeader
        let source = DecodedPicture(header)
        let reduced = reducedPixels(of: plan)
        let isTurned = header.orientation.needsWholePicture && !header.format.decoderOrients
        let isStreamed = !isTurned && !header.hasAlpha && !plan.isCropped
        let rows: KeyValuePairs = [
            "rows before the box filter": rowsBeforeBox(of: source),
            "rows before the kernel": rowsBeforeKernel(of: plan, source),
            // Without scratch files each attempt decodes and reduces twice.
            "rows reduced again for the byte ceiling": isStreamed && !hasScratch
                ? rowsReducedAgain(of: plan) : 0,
            "colour conversion": colourConversion(of: header),
            "picture held upright": isTurned ? held(reduced * source.samples, plan) : 0,
            "picture held for its alpha": header.hasAlpha ? held(reduced * 4, plan) : 0,
            "picture held to be cropped": plan.isCropped && !header.hasAlpha
                ? held(reduced * source.samples, plan) : 0,
            "encoder": header.hasAlpha ? Constant.pngEncoder : Constant.jpegEncoder,
        ]
        // Whole bytes, so that what is left of them is not rounded another way.
        var terms = rows.map { (name: $0.key, bytes: $0.value.rounded(.up)) }
        // The banner is made when the large picture is done with, in what that leaves.
        let banner = banner(of: plan).rounded(.up)
        var spared = 0.0
        switch plan.decoder {
        case .library:
            terms.append(("decoder", libraryDecoder(of: header, source).rounded(.up)))
            terms.append(
                ("picture in the decoder", wholePicture(of: header, source, reduced).rounded(.up)))
        case .bounded, .animation:
            // A frame is decoded before its first row is asked for: only what it takes beyond the
            // rows counts.
            let isDecodedFirst = plan.decoder == .animation || header.isOneFrame
            let after = isDecodedFirst ? terms.reduce(0) { $0 + $1.bytes } : 0
            let beyond = max(
                ownDecoder(of: plan).rounded(.up) - after, Constant.decodedFrame)
            terms.append(("decoder", beyond))
            // A new process makes a GIF before libvips is warm, unlike the banner. A still may be decoded a
            // second time for the byte ceiling, with libvips warm.
            if plan.decoder == .animation {
                let early = min(beyond, Double(MemoryDemand.warmUp.bytes)) - Constant.decodedFrame
                spared = max(after + beyond, banner) - max(after + beyond - early, banner)
            }
        }
        terms.append(("banner", banner - terms.reduce(0) { $0 + $1.bytes }))
        terms.append(("warming up", Double(MemoryDemand.warmUp.bytes)))
        return MemoryDemand(terms, reliefWhenCold: spared)
    }

    /// The pixels of the reduced picture; not rounded, so that they never fall as a picture grows in
    /// its proportions.
    private func reducedPixels(of plan: Plan) -> Double {
        let upright = plan.decodedHeader.uprightSize
        let share = fittingShare(of: upright) * plan.reduction
        return Double(upright.width) * Double(upright.height) * share * share
    }

    /// The rows that wait for the vertical kernel: the box filter leaves less than three times the
    /// width of the reduced picture, and without it there are as many more as the reduction is larger.
    private func rowsBeforeKernel(of plan: Plan, _ source: DecodedPicture) -> Double {
        let share = fittingShare(of: plan.decodedHeader.uprightSize) * plan.reduction
        let box = box(of: plan.decodedHeader, plan.reducedSize, plan.loadShrink)
        guard plan.box == .one, box != .one else { return rowsBehindBox(of: source, share: share) }
        let rowsOfResult = source.hasAlpha ? Constant.transparentKernelRows : Constant.kernelRows
        return max(
            rowsBehindBox(of: source, share: 1),
            source.reducedRowBytes
                * min(rowsOfResult / share, Constant.copiesOfRows * (source.height + 2)))
    }

    /// The rows that wait behind the box filter for the vertical kernel, where a picture is reduced to
    /// a share of its width.
    private func rowsBehindBox(of source: DecodedPicture, share: Double) -> Double {
        let rows =
            source.hasAlpha ? Constant.transparentRowsBeforeKernel : Constant.rowsBeforeKernel
        return source.reducedRowBytes * min(1, 3 * share)
            * min(rows, Constant.copiesOfRows * (source.height + 2))
    }

    /// Rows of the rendition before the vertical kernel of an attempt at a smaller size.
    private func rowsReducedAgain(of plan: Plan) -> Double {
        let header = plan.decodedHeader
        let share = fittingShare(of: header.uprightSize) * plan.reduction
        return rowsBehindBox(of: DecodedPicture(renditionOf: header, share: share), share: 1)
    }

    /// The rows that wait between the decoder and the box filter.
    private func rowsBeforeBox(of source: DecodedPicture) -> Double {
        let rows =
            source.hasAlpha
            ? Constant.transparentRowsBeforeBox
            : source.format == .png ? Constant.pngRowsBeforeBox : Constant.rowsBeforeBox
        // libjpeg decodes rows of up to 16 at once.
        let waiting =
            source.hasAlpha
            ? source.height + 2 : max(source.height, source.format == .jpeg ? 16 : 0) + 4
        return source.rowBytes * min(rows, waiting)
    }

    /// What the banner takes, which is made from the rendition: rows of that, and the whole picture at
    /// a size that covers the banner, which of a panorama is many times as large.
    private func banner(of plan: Plan) -> Double {
        let header = plan.decodedHeader
        let share = fittingShare(of: header.uprightSize) * plan.reduction
        let rendition = DecodedPicture(renditionOf: header, share: share)
        let shareOfBanner = min(
            1, Double(settings.bannerSideInPixels) / min(rendition.width, rendition.height))
        let held = held(
            rendition.reducedRowBytes * rendition.height * shareOfBanner * shareOfBanner, plan)
        let decoder = max(Constant.jpegDecoder, Constant.pngDecoder)
        return max(
            Constant.banner,
            held + rowsBehindBox(of: rendition, share: shareOfBanner) + rowsBeforeBox(of: rendition)
                + decoder + Constant.holesBeforeBanner)
    }

    /// What a picture that is held takes of memory: nothing where it lies in a scratch file.
    private func held(_ bytes: Double, _ plan: Plan) -> Double {
        plan.usesScratch ? min(bytes, Constant.heldInMemory) : bytes
    }

    /// What the library's own tables and buffers take.
    private func libraryDecoder(of header: AttachmentHeader, _ source: DecodedPicture) -> Double {
        switch header.format {
        case .jpeg: Constant.jpegDecoder
        case .png: Constant.pngDecoder
        case .webp: Constant.webpDecoder + source.width * Constant.webpRow
        case .gif: Constant.gifDecoder
        case .heic: Constant.heicDecoder
        case .avif: Constant.avifDecoder
        case .tiff: Constant.tiffDecoder + unit(of: header, source)
        }
    }

    /// Four times a strip or a row of tiles: as it is decoded, as libvips copies it, and, where it is a
    /// JPEG of several scans, as coefficients of two bytes.
    private func unit(of header: AttachmentHeader, _ source: DecodedPicture) -> Double {
        let rows = Double(header.unitSize?.height ?? header.storedSize.height)
        let across = header.coding == .tiles ? source.width + 2 * rows : source.width
        return 4 * rows * across * source.sourcePixelBytes
    }

    /// What decoders that keep the whole picture keep of it.
    private func wholePicture(
        of header: AttachmentHeader, _ source: DecodedPicture, _ reduced: Double
    ) -> Double {
        let pixels = source.width * source.height
        switch (header.format, header.coding) {
        case (.jpeg, .progressive), (.jpeg, .nonInterleaved), (.jpeg, .arithmetic):
            // libjpeg keeps every coefficient, two bytes each (T.81 has one for every sample).
            return 2 * pixels * header.samplesAfterSubsampling * Constant.blockPadding
        case (.png, .interlaced):
            // libvips also keeps all that it read of the file, in a buffer that it doubles.
            return pixels * source.sourcePixelBytes + 2 * Double(header.fileBytes.bytes)
        case (.webp, let coding):
            // libwebp's canvas of a lossless picture; or of the alpha plane of a lossy one, which is
            // such a picture, and the plane. Two frames wait to be blended where there are several.
            let canvas: Double = coding == .lossless ? 4 : header.hasAlpha ? 5 : 0
            return pixels * (canvas + (header.isAnimated ? 8 : 0))
                + reduced * Constant.webpPixel
        case (.gif, _):
            // libnsgif's canvas, and the frame before it where there may be one.
            return pixels * (header.isAnimated ? 8.4 : 4.2)
        case (.heic, _):
            return Double(header.codedSize.pixelCount) * header.heifPixelBytes(frames: 2)
        case (.avif, let coding):
            return Double(header.codedSize.pixelCount)
                * header.heifPixelBytes(frames: coding == .grid ? 4 : 3)
        default:
            return 0
        }
    }

    /// What Little CMS builds for a conversion between profiles.
    private func colourConversion(of header: AttachmentHeader) -> Double {
        guard header.profileBytes > 0 || header.colourModel == .cmyk else { return 0 }
        if placesLargeBlocks, header.hasLargeConversion {
            return Constant.placedConversion
        }
        let profile = Double(header.profileBytes) * 3
        return profile
            + (header.colourModel == .cmyk ? Constant.inkConversion : Constant.rgbConversion)
    }
}

/// The picture that a decoder gives, at the size at which it gives it at the most.
private struct DecodedPicture {
    let width: Double
    let height: Double
    /// Samples a pixel.
    let samples: Double
    /// Bytes a sample, as libvips holds them.
    let sampleBytes: Double
    let hasAlpha: Bool
    let format: AttachmentFormat

    init(_ header: AttachmentHeader) {
        format = header.format
        width = Double(header.storedSize.width)
        height = Double(header.storedSize.height)
        let colours: Double =
            switch header.colourModel {
            case .grey: 1
            case .rgb, .palette: 3
            case .cmyk: 4
            }
        hasAlpha = header.hasAlpha
        samples = colours + (header.hasAlpha ? 1 : 0)
        // Samples of 32 bits are given as 16.
        sampleBytes = header.bitsPerSample > 8 ? 2 : 1
    }

    /// The rendition of a picture, as the banner is made from it.
    init(renditionOf header: AttachmentHeader, share: Double) {
        width = Double(header.uprightSize.width) * share
        height = Double(header.uprightSize.height) * share
        hasAlpha = header.hasAlpha
        samples = (header.colourModel == .grey ? 1 : 3) + (hasAlpha ? 1 : 0)
        sampleBytes = 1
        format = hasAlpha ? .png : .jpeg
    }

    var sourcePixelBytes: Double { samples * sampleBytes }

    /// What one row takes before the box filter: rows of transparent pictures are floats for a
    /// while.
    var rowBytes: Double { width * samples * (hasAlpha ? 4 : sampleBytes) }

    /// What one row of the full width takes after it.
    var reducedRowBytes: Double { width * samples * sampleBytes }
}

extension AttachmentHeader {
    /// Samples for each pixel of a JPEG, with the chroma samples that subsampling leaves.
    fileprivate var samplesAfterSubsampling: Double {
        switch (colourModel, chromaSubsampling) {
        case (.grey, _): 1
        case (.cmyk, _): 4
        case (_, "4:2:0"): 1.5
        case (_, "4:2:2"), (_, "4:4:0"): 2
        case (_, "4:1:1"), (_, "4:1:0"): 1.5
        default: 3
        }
    }

    /// Bytes a pixel of a HEIF picture: frames as they are coded, in the decoder and in libheif, and
    /// the interleaved picture that libvips asks for.
    fileprivate func heifPixelBytes(frames: Double) -> Double {
        let sampleBytes: Double = bitsPerSample > 8 ? 2 : 1
        let alpha: Double = hasAlpha ? 1 : 0
        let frame = samplesAfterSubsampling + alpha
        return (frames * frame + 3 + alpha) * sampleBytes * Constant.rowPadding
    }
}

extension AttachmentHeader {
    /// Whether a decoder of ours decodes it whole before it gives the first row.
    fileprivate var isOneFrame: Bool {
        (format == .heic || format == .avif) && coding == .single
    }
}

extension AttachmentHeader {
    /// Whether converting its colours takes so much of the heap that it is worth a scratch file.
    package var hasLargeConversion: Bool { colourModel == .cmyk || profileBytes > 64 << 10 }
}

extension AttachmentFormat {
    /// Whether the decoder turns the picture upright by itself.
    var decoderOrients: Bool { self == .heic || self == .avif }
}

extension Orientation {
    /// Whether turning it upright reads the rows in another order than they are decoded in.
    fileprivate var needsWholePicture: Bool { self != .upright && self != .mirrored }
}
