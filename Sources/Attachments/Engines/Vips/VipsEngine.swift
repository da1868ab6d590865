import AttachmentContainer
import AttachmentFormats
import AttachmentModel
public import AttachmentPipeline
import AttachmentPlanning

extension FallbackEngine {
    /// libvips, linked into this process.
    public static let libvips = FallbackEngine(VipsEngine())
}

/// The engine of libvips: decode → resize → colour → orient → crop → encode, and from the encoded
/// bytes banner and placeholder.
struct VipsEngine: PictureEngine {
    var version: String { VipsLibrary.version }

    func warmUp() { VipsLibrary.warmUp() }

    func warmUpAlone() { VipsLibrary.warmUpAlone() }

    func makeStills(_ context: RenderingContext) throws(AttachmentError) -> Stills {
        let plan = context.plan
        guard !plan.renditions.isEmpty || !plan.presets.includesContent else {
            let expanded = try makeExpanded(context)
            return try stills(expanded, others: [], of: decodeForBanner(expanded, context), context)
        }
        let (source, others) = try makeRenditions(context)
        switch source {
        case .expanded(let expanded):
            return try stills(
                expanded, others: others, of: decodeForBanner(expanded, context), context)
        case .picture(let small):
            return try stills(nil, others: others, of: small, context)
        }
    }

    /// Adds banner and placeholder, from a small picture.
    private func stills(
        _ expanded: EncodedRendition?, others: [EncodedRendition], of small: VipsImage,
        _ context: RenderingContext
    ) throws(AttachmentError) -> Stills {
        let miniature = try context.decoding { () throws(VipsError) in try Miniature(of: small) }
        guard let placeholder = Placeholder(miniature) else {
            throw AttachmentError(
                .corrupt, file: context.file.path,
                reason: "its miniature came out at \(miniature.size) pixels")
        }
        return Stills(
            expanded: expanded,
            banner: context.plan.presets.includesBanner
                ? try makeBanner(from: small, where: Attention(miniature), context) : nil,
            others: others, placeholder: placeholder)
    }

    /// Makes the expanded rendition: copied, or rendered, cropped and encoded.
    private func makeExpanded(
        _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        let (plan, floor) = (context.plan, context.settings.bannerSideInPixels)
        let quality = plan.quality(atMost: context.settings.quality, of: plan.wholeSize)
        guard plan.treatment != .copy else { return EncodedRendition(keeping: plan.header) }
        var picture = try context.decoding { () throws(VipsError) in
            try render(context)
        }
        guard picture.hasAlpha || plan.isCropped else {
            return try context.fit(
                picture, as: .expanded, part: nil,
                rerender: { () throws(VipsError) in try render(context) },
                quality: quality, floor: floor)
        }
        // JPEG or PNG depends on alpha, and the crop on attention. Both need every pixel first.
        let (kept, part) = try context.decoding { () throws(VipsError) in
            let cropped = try crop(hold(picture.read(), in: context.scratch), by: plan)
            return (try cropped.image.withoutOpaqueAlpha(), cropped.part)
        }
        if plan.treatment == .copyUnlessOpaque, kept.hasAlpha {
            return EncodedRendition(keeping: plan.header)
        }
        let notes = picture.notes
        // Replaces, and so releases, the turned picture.
        picture = try context.decoding { () throws(VipsError) in
            try RenderedPicture(held: { kept })
        }
        picture.notes = notes
        return try context.fit(
            picture, as: .expanded, part: part, rerender: nil, quality: quality, floor: floor)
    }

    /// Decodes, resizes, converts and orients the picture; the result is held if it was turned,
    /// else streamed.
    ///
    /// Colour conversion and orientation follow the reduction, because a tenth of the pixels is
    /// left then.
    func render(_ context: RenderingContext) throws(VipsError) -> RenderedPicture {
        let plan = context.plan
        let loaderOrients = plan.decodedHeader.coding.isOrientedByDecoder
        // The first steps load a large profile and build its tables.
        let (coloured, notes) = try ScratchHeap.placing(in: context.conversionHeap) {
            () throws(VipsError) in
            let decoded = try decode(context)
            decoded.image.onProgress { _ in !context.cancellation.isRequested }
            let reduced = try resize(
                decoded.image, to: loaderOrients ? plan.reducedSize : plan.reducedStoredSize,
                box: plan.box, horizontally: plan.kernel)
            let coloured = try convertColour(
                reduced, to: context.settings.colourSpace,
                expectsProfile: plan.decodedHeader.profileBytes > 0, tags: decoded.tags)
            return (coloured.image, decoded.notes + [coloured.note].compactMap(\.self))
        }
        var picture = try orient(
            coloured, loaderOrients ? .upright : plan.decodedHeader.orientation,
            in: context.scratch)
        picture.notes = notes
        return picture
    }

    /// Decodes the encoded expanded rendition to a small held picture for banner and placeholder,
    /// so that it is decoded only once.
    ///
    /// A panorama's small picture is much larger than the banner. For a copied attachment this step
    /// finds damage: any decoder warning is an error, because stricter decoders refuse such a file.
    private func decodeForBanner(
        _ expanded: EncodedRendition, _ context: RenderingContext
    ) throws(AttachmentError) -> VipsImage {
        let descriptor = expanded.output?.descriptor ?? context.file.descriptor
        let isCopy = expanded.isCopy
        let warnings = VipsLibrary.warningCount
        let plan = Planner.bannerPlan(
            of: expanded.header, side: context.settings.bannerSideInPixels)
        return try context.decoding { () throws(VipsError) in
            let decoded = try decode(
                VipsInput(descriptor: descriptor), by: plan,
                strictness: isCopy ? .warning : context.strictness)
            let small = try hold(
                resize(
                    decoded, to: plan.reducedSize,
                    box: Planner.box(from: decoded.size, to: plan.reducedSize)),
                in: context.scratch)
            guard !isCopy || VipsLibrary.warningCount == warnings else {
                throw VipsError(
                    operation: expanded.header.format.rawValue, message: "decoded with warnings")
            }
            return small
        }
    }

    private func makeBanner(
        from small: VipsImage, where attention: Attention, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        let side = min(context.settings.bannerSideInPixels, small.size.width, small.size.height)
        let square = Cutout(PixelSize(width: side, height: side), of: small.size, where: attention)
        let picture = try context.decoding { () throws(VipsError) in
            let cut = try small.cut(square).inMemory().withoutOpaqueAlpha()
            return try RenderedPicture(held: { cut })
        }
        return try context.fit(
            picture, as: .banner, part: square.part, rerender: nil,
            quality: context.settings.quality, floor: side / 4)
    }
}
