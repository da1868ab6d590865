import AttachmentContainer

/// Memory demand of the pipeline's steps, from the header alone.
///
/// Every term is an upper bound that never falls as a picture grows in its proportions.
/// Shrink-on-load, which may make a larger picture cheaper, is ignored. The constants are measured
/// (`make bench`, libvips 8.14.1): never below a file's use, and at most twice that plus 2 MB.
extension Planner {
    /// Demand of a plan in addition to the baseline; all terms may be held at the same time.
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
            // Without scratch files, each attempt decodes and reduces twice.
            "rows reduced again for the byte ceiling": isStreamed && !hasScratch
                ? rowsReducedAgain(of: plan) : 0,
            "colour conversion": colourConversion(of: header),
            "picture held upright": isTurned ? held(reduced * source.samples, plan) : 0,
            "picture held for its alpha": header.hasAlpha ? held(reduced * 4, plan) : 0,
            "picture held to be cropped": plan.isCropped && !header.hasAlpha
                ? held(reduced * source.samples, plan) : 0,
            "encoder": header.hasAlpha ? Constant.pngEncoder : Constant.jpegEncoder,
        ]
        // Whole bytes, so that later subtractions round the same way.
        var terms = rows.map { (name: $0.key, bytes: $0.value.rounded(.up)) }
        // The banner follows the large picture and reuses its memory.
        let banner = banner(of: plan).rounded(.up)
        var coldRelief = 0.0
        switch plan.decoder {
        case .library:
            terms.append(("decoder", libraryDecoder(of: header, source).rounded(.up)))
            terms.append(
                ("picture in the decoder", wholePicture(of: header, source, reduced).rounded(.up)))
        case .bounded, .animation:
            // Frames are decoded before their rows are read: only the excess over the rows counts.
            let isDecodedFirst = plan.decoder == .animation || header.isOneFrame
            let after = isDecodedFirst ? terms.reduce(0) { $0 + $1.bytes } : 0
            let beyond = max(
                ownDecoder(of: plan).rounded(.up) - after, Constant.decodedFrame)
            terms.append(("decoder", beyond))
            // A cold process makes a GIF before libvips is warm, unlike the banner. A still may be
            // decoded a second time for the byte ceiling, with libvips warm.
            if plan.decoder == .animation {
                let early = min(beyond, Double(MemoryDemand.warmUp.bytes)) - Constant.decodedFrame
                coldRelief = max(after + beyond, banner) - max(after + beyond - early, banner)
            }
        }
        terms.append(("banner", banner - terms.reduce(0) { $0 + $1.bytes }))
        terms.append(("warming up", Double(MemoryDemand.warmUp.bytes)))
        return MemoryDemand(terms, reliefWhenCold: coldRelief)
    }

    /// Pixels of the reduced picture, unrounded so that they never fall as a picture grows.
    private func reducedPixels(of plan: Plan) -> Double {
        let upright = plan.decodedHeader.uprightSize
        let share = fittingShare(of: upright) * plan.reduction
        return Double(upright.width) * Double(upright.height) * share * share
    }

    /// Bytes of the rows waiting for the vertical kernel.
    ///
    /// After the box filter they are less than three times as wide as the reduced picture. Without
    /// it, their number grows with the reduction.
    private func rowsBeforeKernel(of plan: Plan, _ source: DecodedPicture) -> Double {
        let share = fittingShare(of: plan.decodedHeader.uprightSize) * plan.reduction
        let box = box(of: plan.decodedHeader, plan.reducedSize, plan.loadShrink)
        guard plan.box == .one, box != .one else { return rowsAfterBox(of: source, share: share) }
        let rowsOfResult = source.hasAlpha ? Constant.transparentKernelRows : Constant.kernelRows
        return max(
            rowsAfterBox(of: source, share: 1),
            source.reducedRowBytes
                * min(rowsOfResult / share, Constant.copiesOfRows * (source.height + 2)))
    }

    /// Bytes of the rows waiting for the vertical kernel after the box filter; `share` is the
    /// width's reduction.
    private func rowsAfterBox(of source: DecodedPicture, share: Double) -> Double {
        let rows =
            source.hasAlpha ? Constant.transparentRowsBeforeKernel : Constant.rowsBeforeKernel
        return source.reducedRowBytes * min(1, 3 * share)
            * min(rows, Constant.copiesOfRows * (source.height + 2))
    }

    /// Bytes of rendition rows before the vertical kernel, for an attempt at a smaller size.
    private func rowsReducedAgain(of plan: Plan) -> Double {
        let header = plan.decodedHeader
        let share = fittingShare(of: header.uprightSize) * plan.reduction
        return rowsAfterBox(of: DecodedPicture(renditionOf: header, share: share), share: 1)
    }

    /// Bytes of the rows waiting between the decoder and the box filter.
    private func rowsBeforeBox(of source: DecodedPicture) -> Double {
        let rows =
            source.hasAlpha
            ? Constant.transparentRowsBeforeBox
            : source.format == .png ? Constant.pngRowsBeforeBox : Constant.rowsBeforeBox
        // libjpeg decodes up to 16 rows at once.
        let waiting =
            source.hasAlpha
            ? source.height + 2 : max(source.height, source.format == .jpeg ? 16 : 0) + 4
        return source.rowBytes * min(rows, waiting)
    }

    /// Demand of the banner, which is made from the rendition.
    ///
    /// It holds rendition rows and the whole picture at a size that covers the banner; for a
    /// panorama that is many times the banner's size.
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
            held + rowsAfterBox(of: rendition, share: shareOfBanner) + rowsBeforeBox(of: rendition)
                + decoder + Constant.fragmentationBeforeBanner)
    }

    /// Footprint of a held picture; only a small part when it lies in a scratch file.
    private func held(_ bytes: Double, _ plan: Plan) -> Double {
        plan.usesScratch ? min(bytes, Constant.heldInMemory) : bytes
    }

    /// Tables and buffers of the library's decoder.
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

    /// Four times a strip or a row of tiles: decoded, copied by libvips, and, for a JPEG in several
    /// scans, two-byte coefficients.
    private func unit(of header: AttachmentHeader, _ source: DecodedPicture) -> Double {
        let rows = Double(header.unitSize?.height ?? header.storedSize.height)
        let across = header.coding == .tiles ? source.width + 2 * rows : source.width
        return 4 * rows * across * source.sourcePixelBytes
    }

    /// Picture data held by decoders that hold the whole picture.
    private func wholePicture(
        of header: AttachmentHeader, _ source: DecodedPicture, _ reduced: Double
    ) -> Double {
        let pixels = source.width * source.height
        switch (header.format, header.coding) {
        case (.jpeg, .progressive), (.jpeg, .nonInterleaved), (.jpeg, .arithmetic):
            // libjpeg holds every coefficient, two bytes each (T.81: one per sample).
            return 2 * pixels * header.samplesAfterSubsampling * Constant.blockPadding
        case (.png, .interlaced):
            // libvips also holds all bytes read from the file, in a buffer that it doubles.
            return pixels * source.sourcePixelBytes + 2 * Double(header.fileBytes.bytes)
        case (.webp, let coding):
            // libwebp's canvas of a lossless picture, or of a lossy one's alpha plane (coded
            // losslessly) plus the plane. Animations hold two more frames for blending.
            let canvas: Double = coding == .lossless ? 4 : header.hasAlpha ? 5 : 0
            return pixels * (canvas + (header.isAnimated ? 8 : 0))
                + reduced * Constant.webpPixel
        case (.gif, _):
            // libnsgif's canvas, plus the previous frame of an animation.
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

    /// Little CMS tables of a conversion between profiles.
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

/// Decoder output at its maximum size.
private struct DecodedPicture {
    let width: Double
    let height: Double
    let samples: Double
    /// Bytes per sample, as libvips holds them.
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
        // libvips gets 32-bit samples as 16-bit ones.
        sampleBytes = header.bitsPerSample > 8 ? 2 : 1
    }

    /// Rendition as the source of the banner.
    init(renditionOf header: AttachmentHeader, share: Double) {
        width = Double(header.uprightSize.width) * share
        height = Double(header.uprightSize.height) * share
        hasAlpha = header.hasAlpha
        samples = (header.colourModel == .grey ? 1 : 3) + (hasAlpha ? 1 : 0)
        sampleBytes = 1
        format = hasAlpha ? .png : .jpeg
    }

    var sourcePixelBytes: Double { samples * sampleBytes }

    /// Bytes of a row before the box filter; transparent rows are floats at some point.
    var rowBytes: Double { width * samples * (hasAlpha ? 4 : sampleBytes) }

    /// Bytes of a full-width row after the box filter.
    var reducedRowBytes: Double { width * samples * sampleBytes }
}

extension AttachmentHeader {
    /// Samples per pixel of a JPEG after chroma subsampling.
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

    /// Bytes per pixel of a HEIF picture: coded frames in the decoder and in libheif, and libvips'
    /// interleaved picture.
    fileprivate func heifPixelBytes(frames: Double) -> Double {
        let sampleBytes: Double = bitsPerSample > 8 ? 2 : 1
        let alpha: Double = hasAlpha ? 1 : 0
        let frame = samplesAfterSubsampling + alpha
        return (frames * frame + 3 + alpha) * sampleBytes * Constant.rowPadding
    }
}

extension AttachmentHeader {
    /// True if the bounded decoder decodes the whole picture before the first row.
    fileprivate var isOneFrame: Bool {
        (format == .heic || format == .avif) && coding == .single
    }
}

extension AttachmentHeader {
    /// True if colour conversion takes enough heap to be worth a scratch file.
    package var hasLargeConversion: Bool { colourModel == .cmyk || profileBytes > 64 << 10 }
}

extension AttachmentFormat {
    /// True if the decoder applies the orientation itself.
    var decoderOrients: Bool { self == .heic || self == .avif }
}

extension Orientation {
    /// True if the upright picture needs rows out of decoding order.
    fileprivate var needsWholePicture: Bool { self != .upright && self != .mirrored }
}
