import AttachmentContainer
import AttachmentModel

/// Memory demand of the pipeline's steps, from the header alone.
///
/// Every term is an upper bound that never falls as a picture grows in its proportions.
/// Shrink-on-load, which may make a larger picture cheaper, is ignored. The constants are measured
/// (`make bench`, libvips 8.14.1): never below a file's use, and at most twice that plus 2 MB.
extension Planner {
    /// Demand of a plan in addition to the baseline; all terms may be held at the same time.
    func demand(of plan: Plan) -> MemoryDemand {
        guard plan.engine == .libvips else { return rowDemand(of: plan) }
        guard plan.treatment != .copy || !plan.renditions.isEmpty else {
            return MemoryDemand([
                ("warming up", Double(MemoryDemand.warmUp.bytes)), ("banner", banner(of: plan)),
            ])
        }
        let header = plan.decodedHeader
        let source = DecodedPicture(header, isLinear: settings.isLinear)
        let reduced = reducedPixels(of: plan)
        let isTurned = header.orientation.needsWholePicture && !header.coding.isOrientedByDecoder
        let hasRenditions = !plan.renditions.isEmpty
        let isStreamed = !isTurned && !header.hasAlpha && !plan.isCropped && !hasRenditions
        let rows: KeyValuePairs = [
            "rows before the box filter": rowsBeforeBox(of: source),
            "rows before the kernel": rowsBeforeKernel(of: plan, source),
            // Without scratch files, each attempt decodes and reduces twice.
            "rows reduced again for the byte ceiling": isStreamed && !hasScratch
                ? rowsReducedAgain(of: plan) : 0,
            "colour conversion": colourConversion(of: header),
            "tables of linear light": settings.isLinear
                ? Constant.lightTable * (header.hasAlpha ? source.samples : 1) : 0,
            "picture held upright": isTurned ? held(reduced * source.samples, plan) : 0,
            "picture held for its alpha": header.hasAlpha ? held(reduced * 4, plan) : 0,
            "picture held to be cropped": plan.isCropped && !header.hasAlpha
                ? held(reduced * source.samples, plan) : 0,
            "picture held for presets": hasRenditions && !isTurned && !header.hasAlpha
                && !plan.isCropped ? held(reduced * source.samples, plan) : 0,
            "encoder": settings.encodesPNG(header) ? Constant.pngEncoder : Constant.jpegEncoder,
            "score": scoring(
                columns: Double(header.uprightSize.width)
                    * decodedShare(of: header.uprightSize) * plan.reduction),
            "picture held for its score": isStreamed && settings.scoresRenditions
                ? held(reduced * source.samples, usesScratch: hasScratch) : 0,
        ]
        // Whole bytes, so that later subtractions round the same way.
        var terms = rows.map { (name: $0.key, bytes: $0.value.rounded(.up)) }
        // The banner follows the large picture and reuses its memory.
        let banner = banner(of: plan).rounded(.up)
        switch plan.decoder {
        case .library:
            let library = header.coding.libraryDemand(of: header, reduced: reduced)
            terms.append(("decoder", library.decoder.rounded(.up)))
            terms.append(("profile in the decoder", profileInLibrary(of: header).rounded(.up)))
            terms.append(("picture in the decoder", library.picture.rounded(.up)))
        case .bounded, .animation:
            // Frames are decoded before their rows are read: only the excess over the rows counts.
            let after =
                header.coding.isDecodedBeforeRows ? terms.reduce(0) { $0 + $1.bytes } : 0
            let beyond = max(boundedDecoder(of: plan).rounded(.up) - after, Constant.decodedFrame)
            terms.append(("decoder", beyond))
        }
        terms.append(("banner", max(0, banner - terms.reduce(0) { $0 + $1.bytes })))
        terms.append(
            ("renditions of presets", renditions(of: plan) - terms.reduce(0) { $0 + $1.bytes }))
        terms.append(("warming up", Double(MemoryDemand.warmUp.bytes)))
        return MemoryDemand(terms)
    }

    /// Pixels of the reduced picture, unrounded so that they never fall as a picture grows.
    func reducedPixels(of plan: Plan) -> Double {
        let upright = plan.decodedHeader.uprightSize
        let share = decodedShare(of: upright) * plan.reduction
        return Double(upright.width) * Double(upright.height) * share * share
    }

    /// Bytes of the rows waiting for the vertical kernel.
    ///
    /// After the box filter they are less than three times as wide as the reduced picture. Without
    /// it, their number grows with the reduction.
    private func rowsBeforeKernel(of plan: Plan, _ source: DecodedPicture) -> Double {
        let share = decodedShare(of: plan.decodedHeader.uprightSize) * plan.reduction
        let box = box(of: plan.decodedHeader, plan.reducedSize, plan.loadShrink)
        guard plan.box == .one, box != .one else { return rowsAfterBox(of: source, share: share) }
        let rowsOfResult = source.hasAlpha ? Constant.transparentKernelRows : Constant.kernelRows
        return max(
            rowsAfterBox(of: source, share: 1),
            source.reducedRowBytes
                * min(rowsOfResult / share, Constant.copiesOfRows * (source.height + 2)))
    }

    /// `share` is the width's reduction.
    private func rowsAfterBox(of source: DecodedPicture, share: Double) -> Double {
        let rows =
            source.hasAlpha ? Constant.transparentRowsBeforeKernel : Constant.rowsBeforeKernel
        return source.reducedRowBytes * min(1, 3 * share)
            * min(rows, Constant.copiesOfRows * (source.height + 2))
    }

    /// Bytes of rendition rows before the vertical kernel, for an attempt at a smaller size.
    private func rowsReducedAgain(of plan: Plan) -> Double {
        let header = plan.decodedHeader
        let share = decodedShare(of: header.uprightSize) * plan.reduction
        return rowsAfterBox(
            of: DecodedPicture(
                renditionOf: header, share: share, isLinear: settings.isLinear), share: 1)
    }

    private func rowsBeforeBox(of source: DecodedPicture) -> Double {
        guard !source.hasAlpha else {
            return source.rowBytes * min(Constant.transparentRowsBeforeBox, source.height + 2)
        }
        return source.rowBytes
            * min(source.buffering.rows, max(source.height, source.buffering.atOnce) + 4)
    }

    /// Holds rendition rows and the whole picture at a size that covers the banner; for a
    /// panorama that is many times the banner's size.
    private func banner(of plan: Plan) -> Double {
        let header = plan.decodedHeader
        let share = expandedShare(of: header.uprightSize) * plan.expandedReduction
        let rendition = DecodedPicture(
            renditionOf: header, share: share, isLinear: settings.isLinear)
        let shareOfBanner = min(
            1, Double(settings.bannerSideInPixels) / min(rendition.width, rendition.height))
        let held = held(
            rendition.reducedRowBytes * rendition.height * shareOfBanner * shareOfBanner, plan)
        return max(
            Constant.banner,
            held + rowsAfterBox(of: rendition, share: shareOfBanner) + rowsBeforeBox(of: rendition)
                + Constant.renditionDecoder + Constant.fragmentationBeforeBanner)
    }

    /// Memory for reducing and encoding renditions from the held picture, after its decoder is
    /// released; 0 without any.
    ///
    /// Without scratch files, attempts for the byte ceiling reduce twice.
    private func renditions(of plan: Plan) -> Double {
        guard !plan.renditions.isEmpty else { return 0 }
        let header = plan.decodedHeader
        let share = decodedShare(of: header.uprightSize) * plan.reduction
        let picture = DecodedPicture(
            renditionOf: header, share: share, isLinear: settings.isLinear)
        let held = held(picture.reducedRowBytes * picture.height, plan)
        let encoder = header.hasAlpha ? Constant.pngEncoder : Constant.jpegEncoder
        let total =
            held + rowsAfterBox(of: picture, share: 1) * (hasScratch ? 1 : 2)
            + rowsBeforeBox(of: picture) + encoder + Constant.fragmentationBeforeBanner
            + Constant.fragmentationBetweenVipsRenditions
        return total.rounded(.up)
    }

    /// Footprint of a held picture; only a small part when it lies in a scratch file.
    private func held(_ bytes: Double, _ plan: Plan) -> Double {
        held(bytes, usesScratch: plan.usesScratch)
    }

    private func held(_ bytes: Double, usesScratch: Bool) -> Double {
        usesScratch ? min(bytes, Constant.heldInMemory) : bytes
    }

    /// The library's own copies of a large profile beyond the other parts of its conversion.
    ///
    /// libvips reads the header again on the thread that decodes, whose blocks are not placed.
    private func profileInLibrary(of header: AttachmentHeader) -> Double {
        guard placesLargeBlocks, header.hasLargeConversion else { return 0 }
        let copies = Constant.libraryProfiles * Double(header.profileBytes)
        return max(0, copies + Constant.smallConversion - Constant.placedConversion)
    }

    /// Little CMS tables of a conversion between profiles.
    func colourConversion(of header: AttachmentHeader) -> Double {
        guard header.convertsColours || header.colourModel == .cmyk else { return 0 }
        if placesLargeBlocks, header.hasLargeConversion {
            return Constant.placedConversion
        }
        let profile = Double(header.profileBytes)
        return header.colourModel == .cmyk
            ? Constant.inkConversion + 3 * profile
            : Constant.rgbConversion + Constant.copiesOfProfile * profile
    }
}

private struct DecodedPicture {
    let width: Double
    let height: Double
    let samples: Double
    /// Bytes per sample, as libvips holds them.
    let sampleBytes: Double
    let hasAlpha: Bool
    let buffering: RowBuffering

    init(_ header: AttachmentHeader, isLinear: Bool) {
        buffering = header.coding.rowBuffering
        width = Double(header.storedSize.width)
        height = Double(header.storedSize.height)
        hasAlpha = header.hasAlpha
        samples = header.decodedSamples
        sampleBytes = isLinear ? 2 : header.decodedSampleBytes
    }

    init(renditionOf header: AttachmentHeader, share: Double, isLinear: Bool) {
        width = Double(header.uprightSize.width) * share
        height = Double(header.uprightSize.height) * share
        hasAlpha = header.hasAlpha
        samples = (header.colourModel == .grey ? 1 : 3) + (hasAlpha ? 1 : 0)
        sampleBytes = isLinear ? 2 : 1
        buffering = hasAlpha ? RowBuffering() : RowBuffering(atOnce: 16)
    }

    /// Bytes of a row before the box filter; transparent rows are floats at some point.
    var rowBytes: Double { width * samples * (hasAlpha ? 4 : sampleBytes) }

    var reducedRowBytes: Double { width * samples * sampleBytes }
}

extension AttachmentHeader {
    /// True if colour conversion takes enough heap to be worth a scratch file.
    package var hasLargeConversion: Bool { colourModel == .cmyk || profileBytes > 64 << 10 }
}

extension Orientation {
    fileprivate var needsWholePicture: Bool { self != .upright && self != .mirrored }
}
