import AttachmentContainer
import AttachmentDecoding
import AttachmentIntake
import AttachmentPlanning

extension AttachmentRenderer {
    /// Makes the animation of what moves, the expanded rendition, and from its encoded bytes the
    /// others.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - file: The attachment.
    ///   - context: Which damage is an error, and when to stop.
    /// - Returns: Everything that is published.
    /// - Throws: `AttachmentError`.
    func makeRenditions(
        _ plan: Plan, _ file: AttachmentFile, _ context: RenderingContext
    ) throws(AttachmentError) -> Renditions {
        var moving: EncodedAnimation.Moving?
        var animationNotes: [String]?
        if plan.decoder == .animation {
            let animation = try animate(plan, file, context)
            context.record.frame = animation.stillFrame
            moving = animation.moving
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
            moving: moving, animationNotes: animationNotes, expanded: expanded, banner: banner,
            placeholder: placeholder)
    }

    /// The picture as the renditions show it: decoded, reduced, in their colours, upright.
    ///
    /// Colours and orientation come after the reduction, when there is a tenth of the pixels left
    /// to convert and to hold.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - file: The attachment.
    ///   - context: Which damage is an error, and when to stop.
    /// - Returns: The picture; held if it was turned, else streamed.
    /// - Throws: `VipsError`.
    func render(
        _ plan: Plan, _ file: AttachmentFile, _ context: RenderingContext
    ) throws(VipsError) -> RenderedPicture {
        let loaderOrients = plan.decodedHeader.format.loaderOrients
        // A large profile, and the tables that are built from it, come with the first steps.
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

    /// Makes the expanded rendition as planned: copied, or rendered, cropped and encoded.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - file: The attachment.
    ///   - context: Which damage is an error, and when to stop.
    /// - Returns: The rendition.
    /// - Throws: `AttachmentError`.
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
                again: { () throws(VipsError) in try render(plan, file, context) },
                floor: settings.bannerSideInPixels, file, plan.header, context)
        }
        // Alpha decides between JPEG and PNG, and whether it hides anything is known only when
        // every pixel was seen; so is what draws attention.
        let (kept, part) = try context.decoding(file, plan.header) { () throws(VipsError) in
            let cropped = try crop(hold(picture.read(), context), by: plan)
            return (try cropped.image.withoutOpaqueAlpha(), cropped.part)
        }
        if plan.treatment == .copyUnlessOpaque, kept.hasAlpha {
            return EncodedRendition(keeping: plan.header)
        }
        // Releases the picture that was turned.
        picture = try context.decoding(file, plan.header) { () throws(VipsError) in
            try RenderedPicture(held: { kept })
        }
        return try fit(
            picture, part: part, again: nil, floor: settings.bannerSideInPixels, file, plan.header,
            context)
    }

    /// Makes the small picture that banner and placeholder come from, out of the encoded expanded
    /// rendition.
    ///
    /// For a rendition that is a copy, this is where damage in the attachment shows, and anything
    /// that the decoder warns of, since strict decoders refuse it.
    ///
    /// - Parameters:
    ///   - expanded: The expanded rendition.
    ///   - file: The attachment.
    ///   - attachment: What the probe learnt of the attachment.
    ///   - context: Which damage is an error, and when to stop.
    /// - Returns: The small picture.
    /// - Throws: `AttachmentError`.
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
                    operation: rendition.format.loader.rawValue, message: "decoded with warnings")
            }
            return source
        }
    }

    /// Makes the banner: the most telling square of the small picture, as large as it allows.
    ///
    /// - Parameters:
    ///   - source: The small picture.
    ///   - attention: Where it draws attention.
    ///   - file: The attachment.
    ///   - header: What the probe learnt of the attachment.
    ///   - context: When to stop.
    /// - Returns: The banner.
    /// - Throws: `AttachmentError`.
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
            picture, part: square.part, again: nil, floor: side / 4, file, header, context)
    }
}
