import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

extension AttachmentRenderer {
    /// Makes the animation, the expanded rendition, and from its encoded bytes the others.
    func makeRenditions(
        _ plan: Plan, _ file: AttachmentFile, _ context: RenderingContext
    ) throws(AttachmentError) -> Renditions {
        var gif: EncodedAnimation.GIF?
        var animationNotes: [String]?
        if plan.decoder == .animation {
            let animation = try animate(plan, file, context)
            context.record.frame = animation.stillFrame
            gif = animation.gif
            animationNotes = animation.notes
        }
        let expanded = try makeExpanded(plan, file, context)
        let source = try makeBannerSource(of: expanded, file, plan.header, context)
        let miniature = try context.decoding(file, plan.header) { () throws(VipsError) in
            try Miniature(of: source.image)
        }
        guard let placeholder = Placeholder(miniature) else {
            throw AttachmentError(
                .corrupt, file: file.path,
                reason: "its miniature came out at \(miniature.size) pixels")
        }
        let banner = try makeBanner(
            from: source, where: Attention(miniature), file, plan.header, context)
        return Renditions(
            gif: gif, animationNotes: animationNotes, expanded: expanded, banner: banner,
            placeholder: placeholder)
    }

    /// Decodes, resizes, converts and orients the picture; the result is held if it was turned,
    /// else streamed.
    ///
    /// Colour conversion and orientation follow the reduction, because a tenth of the pixels is
    /// left then.
    func render(
        _ plan: Plan, _ file: AttachmentFile, _ context: RenderingContext
    ) throws(VipsError) -> RenderedPicture {
        let loaderOrients = plan.decodedHeader.coding.isOrientedByDecoder
        // The first steps load a large profile and build its tables.
        let coloured = try ScratchHeap.placing(in: context.conversionHeap) { () throws(VipsError) in
            let decoded = try decode(file, by: plan, context)
            decoded.onProgress { _ in !context.cancellation.isRequested }
            let reduced = try resize(
                decoded, to: loaderOrients ? plan.reducedSize : plan.reducedStoredSize,
                box: plan.box, horizontally: plan.kernel)
            return try convertColour(reduced, to: settings.colourSpace)
        }
        return try orient(
            coloured, loaderOrients ? .upright : plan.decodedHeader.orientation, context)
    }

    /// Makes the expanded rendition: copied, or rendered, cropped and encoded.
    func makeExpanded(
        _ plan: Plan, _ file: AttachmentFile, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        guard plan.treatment != .copy else { return EncodedRendition(keeping: plan.header) }
        var picture = try context.decoding(file, plan.header) { () throws(VipsError) in
            try render(plan, file, context)
        }
        guard picture.hasAlpha || plan.isCropped else {
            return try fit(
                picture, part: nil,
                rerender: { () throws(VipsError) in try render(plan, file, context) },
                floor: settings.bannerSideInPixels, file, plan.header, context)
        }
        // JPEG or PNG depends on alpha, and the crop on attention. Both need every pixel first.
        let (kept, part) = try context.decoding(file, plan.header) { () throws(VipsError) in
            let cropped = try crop(hold(picture.read(), context), by: plan)
            return (try cropped.image.withoutOpaqueAlpha(), cropped.part)
        }
        if plan.treatment == .copyUnlessOpaque, kept.hasAlpha {
            return EncodedRendition(keeping: plan.header)
        }
        // Replaces, and so releases, the turned picture.
        picture = try context.decoding(file, plan.header) { () throws(VipsError) in
            try RenderedPicture(held: { kept })
        }
        return try fit(
            picture, part: part, rerender: nil, floor: settings.bannerSideInPixels, file,
            plan.header, context)
    }

    /// Decodes the encoded expanded rendition to the small picture for banner and placeholder.
    ///
    /// For a copied attachment this step finds damage. Any decoder warning is an error then,
    /// because stricter decoders refuse such a file.
    func makeBannerSource(
        of expanded: EncodedRendition, _ file: AttachmentFile,
        _ attachment: AttachmentHeader, _ context: RenderingContext
    ) throws(AttachmentError) -> BannerSource {
        let descriptor = expanded.output?.descriptor ?? file.descriptor
        let (rendition, isCopy) = (expanded.header, expanded.isCopy)
        let warnings = VipsLibrary.warningCount
        return try context.decoding(file, attachment) { () throws(VipsError) in
            let source = try BannerSource(
                of: VipsInput(descriptor: descriptor), rendition,
                side: settings.bannerSideInPixels,
                strictness: isCopy ? .warning : context.strictness, context)
            guard !isCopy || VipsLibrary.warningCount == warnings else {
                throw VipsError(
                    operation: rendition.format.rawValue, message: "decoded with warnings")
            }
            return source
        }
    }

    /// Crops the banner: the most salient square of the small picture.
    func makeBanner(
        from source: BannerSource, where attention: Attention, _ file: AttachmentFile,
        _ header: AttachmentHeader, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        let size = source.image.size
        let side = min(settings.bannerSideInPixels, size.width, size.height)
        let square = Cutout(
            PixelSize(width: side, height: side), of: size, where: attention)
        let picture = try context.decoding(file, header) { () throws(VipsError) in
            let cut = try source.image.cut(square).inMemory().withoutOpaqueAlpha()
            return try RenderedPicture(held: { cut })
        }
        return try fit(
            picture, part: square.part, rerender: nil, floor: side / 4, file, header, context)
    }
}
