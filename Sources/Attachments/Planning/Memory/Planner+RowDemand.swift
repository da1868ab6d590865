import AttachmentContainer
import AttachmentModel

/// Memory demand of the engine of rows.
///
/// The sum is an upper bound that never falls as a picture grows in its proportions, so sizes
/// are not rounded.
extension Planner {
    /// Demand of a plan in addition to the baseline.
    func rowDemand(of plan: Plan) -> MemoryDemand {
        let header = plan.decodedHeader
        guard let source = rowSource(of: header) else { return MemoryDemand([]) }
        let share = decodedShare(of: header.uprightSize) * plan.reduction
        let width = Double(header.storedSize.width)
        let target = width * share
        let decoded = decodedWidth(of: header, source, target: target)
        let scale = max(1, decoded / target)
        let sampleBytes = header.decodedSampleBytes
        // libjpeg's smaller transforms decode halved chroma at the size of luma; libwebp's do not.
        let planes =
            decoded < width && source.isReducible ? source.planes.map { _ in 1 } : source.planes
        let isLinear = settings.isLinear
        let isConverted = isLinear && source.planes.count > 1
        let becomesRGB = isLinear || header.profileBytes > 0 || settings.holdsRGB
        let isRGB = source.bands > 1 || becomesRGB && source.planes.count > 1
        let pixels = reducedPixels(of: plan)
        // Inks become RGB before the resampler.
        let bands = header.colourModel == .cmyk ? 3 : source.bands
        let colours = isRGB ? 3 : 1.5
        let samples = source.planes.count > 1 ? (header.hasAlpha ? 4 : colours) : bands
        let held = heldPlanes(pixels * samples, plan)
        let decoder =
            plan.decoder == .library
            ? header.coding.libraryDemand(of: header, reduced: pixels).decoder
            : boundedDecoder(of: plan)
        let rowBytes = planes.reduce(0, +) * source.bands * sampleBytes
        let resamplers = (isConverted ? planes.map { _ in 1 } : planes).enumerated().map {
            index, columns in
            // Chroma that is whole in one direction is halved by the resampler.
            let halving = index == 0 || isRGB ? 1.0 : 2
            return ResamplerDemand.bytes(
                columns: decoded * columns, target: target / halving,
                rows: Double(header.storedSize.height), step: scale * halving,
                bands: bands, sampleBytes: header.hasAlpha ? 2 : sampleBytes,
                boxedFrom: ResamplerBoxes.smallestReduction * halving, isLinear: isLinear)
        }
        let decoding = rounded([
            "decoder": decoder,
            "decoded rows": rowBytes * decoded * source.rowsAtOnce,
            "conversion to RGB": isConverted
                ? RGBConversionDemand.bytes(
                    columns: decoded, samples: planes.reduce(0, +), rowsAtOnce: source.rowsAtOnce)
                : 0,
            "rows before the kernel": resamplers.reduce(0, +),
        ])
        let encoding = max(encoding(of: plan, samples: samples), turning(of: plan))
        let released = decoding.reduce(0) { $0 + $1.bytes }
        let frames = max(0, animation(of: plan) - max(released, encoding) - held)
        let rest = rounded([
            // Released before the stills are made.
            "frames and GIF, beyond the stills": frames,
            "colour conversion":
                header.colourModel == .cmyk && header.profileBytes == 0
                ? Constant.pressConversion : colourConversion(of: header),
            "reduced picture": held,
            // Decoder and resamplers are released before the first encoding begins; a process with
            // a heap for each thread keeps their memory.
            "encoder, banner, placeholder and smaller attempts, beyond the decoder":
                placesLargeBlocks ? max(0, encoding - released) : encoding,
            "heaps of other threads": placesLargeBlocks ? 0 : Constant.threadHeaps,
            "engine of rows": Constant.rowEngine,
            "warming up": Double(MemoryDemand.warmUp.bytes),
        ])
        return MemoryDemand(
            decoding + rest, reliefBeforeVips: MemoryDemand.warmUp,
            beforeStills: frames.rounded(.down))
    }

    /// Memory for turning the file before the banner is encoded, beside the reduced picture.
    private func turning(of plan: Plan) -> Double {
        guard plan.treatment == .turn, let demand = plan.header.coding.turning(of: plan.header)
        else { return 0 }
        return demand.working + heldPlanes(demand.held, plan)
    }

    /// Memory after decoding, beside the reduced picture of `samples` a pixel.
    private func encoding(of plan: Plan, samples: Double) -> Double {
        let content = content(of: plan, samples: samples)
        guard !plan.renditions.isEmpty else { return content }
        return max(content, renditions(of: plan, samples: samples))
    }

    /// Memory for the expanded rendition and the banner, or for the banner and the placeholder alone.
    private func content(of plan: Plan, samples: Double) -> Double {
        let header = plan.decodedHeader
        let share = expandedShare(of: header.uprightSize) * plan.expandedReduction
        let (width, height) = (
            Double(header.uprightSize.width) * share, Double(header.uprightSize.height) * share
        )
        let covering = min(1, Double(settings.bannerSideInPixels) / min(width, height))
        // The first attempt of four fifths a side.
        let smaller = heldPlanes(width * height * samples * 16 / 25, plan)
        let encoder = encoder(of: header, width: width, samples: samples)
        let banner = heldPlanes(width * height * samples * covering * covering, plan)
        let whole = plan.isReducedTwice ? heldPlanes(width * height * samples, plan) : 0
        return banner + whole
            + max(
                plan.isReducedTwice ? reducing(plan, samples, by: share) : 0,
                encoder + smaller,
                scoring(columns: width),
                reducing(width, height, bands: samples, header.hasAlpha, by: covering),
                reducing(
                    width * covering, height * covering, bands: samples, header.hasAlpha,
                    by: min(1, Double(ThumbHash.longestSide) / (max(width, height) * covering))))
    }

    /// Memory of an encoder for a picture of a width.
    ///
    /// PNG holds the row twice, the row above and the filtered one, with margins.
    private func encoder(of header: AttachmentHeader, width: Double, samples: Double) -> Double {
        settings.encodesPNG(header)
            ? Constant.pngEncoder + 5 * width * samples
            : JPEGEncoderDemand.bytes(columns: width)
    }

    /// Memory for the most demanding rendition of a surface of its own, beside the small picture
    /// that the banner is cut from.
    private func renditions(of plan: Plan, samples: Double) -> Double {
        let header = plan.decodedHeader
        let upright = header.uprightSize
        let decoded = decodedShare(of: upright) * plan.reduction
        let small = min(
            1,
            Double(settings.bannerSideInPixels)
                / (Double(min(upright.width, upright.height)) * decoded))
        let pixels = reducedPixels(of: plan)
        let most = settings.presets.surfaces.map { _, surface in
            let share = min(share(of: upright, on: surface), decoded)
            let part = part(of: upright, on: surface)
            let (width, height) = (part.width * share, part.height * share)
            let held = heldPlanes(width * height * samples, plan)
            let smaller = heldPlanes(width * height * samples * 16 / 25, plan)
            let encoder = encoder(of: header, width: width, samples: samples)
            let reduction = reducing(
                part.width * decoded, part.height * decoded, bands: samples, header.hasAlpha,
                by: share / decoded)
            return held + max(encoder + smaller, scoring(columns: width), reduction)
        }
        return heldPlanes(pixels * samples * small * small, plan)
            + Constant.fragmentationBetweenRenditions + most.reduce(0, max)
    }

    /// Memory for reducing the decoded picture to a share of the attachment.
    private func reducing(_ plan: Plan, _ samples: Double, by share: Double) -> Double {
        let header = plan.decodedHeader
        let decoded = decodedShare(of: header.uprightSize) * plan.reduction
        return reducing(
            Double(header.uprightSize.width) * decoded,
            Double(header.uprightSize.height) * decoded, bands: samples, header.hasAlpha,
            by: share / decoded)
    }

    /// Memory for reducing a held picture.
    private func reducing(
        _ width: Double, _ height: Double, bands: Double, _ hasAlpha: Bool, by share: Double
    ) -> Double {
        ResamplerDemand.bytes(
            columns: width, target: width * share, rows: height, step: 1 / share, bands: bands,
            sampleBytes: hasAlpha ? 2 : 1, boxedFrom: ResamplerBoxes.smallestReduction,
            isLinear: settings.isLinear)
    }

    /// Tolerates rounding errors, which would make a whole number one larger.
    private func rounded(
        _ terms: KeyValuePairs<String, Double>
    ) -> [(name: String, bytes: Double)] {
        terms.map { ($0.key, ($0.value - 1e-3).rounded(.up)) }
    }

    /// Bytes of a decoded row of the plane with the longest ones; nil if the engine takes no rows of it.
    func decodedRowBytes(of plan: Plan) -> Double? {
        let header = plan.decodedHeader
        guard let source = rowSource(of: header) else { return nil }
        let share = decodedShare(of: header.uprightSize) * plan.reduction
        let columns = decodedWidth(
            of: header, source, target: Double(header.storedSize.width) * share)
        return columns * source.bands * header.decodedSampleBytes
    }

    /// Columns of the decoded picture: the decoder's smallest above the final reduction.
    private func decodedWidth(
        of header: AttachmentHeader, _ source: RowSource, target: Double
    ) -> Double {
        let width = Double(header.storedSize.width)
        guard source.isReducible, !settings.isLinear else { return width }
        return min(width, max(2 * Self.finalRowReduction * target, width / 8))
    }

    /// Footprint of held planes; only small ones count when they lie in scratch files.
    private func heldPlanes(_ bytes: Double, _ plan: Plan) -> Double {
        plan.usesScratch ? min(bytes, 3 * Constant.heldInMemory) : bytes
    }
}
