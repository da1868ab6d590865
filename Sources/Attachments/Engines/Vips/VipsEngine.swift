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
struct VipsEngine: LibraryEngine {
    var version: String { VipsLibrary.version }

    func warmUp() { VipsLibrary.warmUp() }

    func warmUpAlone() { VipsLibrary.warmUpAlone() }

    func makeStills(_ context: RenderingContext) throws(AttachmentError) -> Stills {
        let (plan, steps) = (context.plan, VipsSteps(context: context))
        let maker = StillsMaker(steps)
        guard !plan.renditions.isEmpty || !plan.presets.includesContent else {
            let expanded = try makeExpanded(context)
            let small = try decodeForBanner(expanded, context)
            return try maker.stills(expanded: expanded, others: [], of: small)
        }
        let (source, others) = try makeRenditions(steps, by: maker)
        let (expanded, small): (EncodedRendition?, VipsStill) =
            switch source {
            case .expanded(let expanded): (expanded, try decodeForBanner(expanded, context))
            case .picture(let small): (nil, small)
            }
        return try maker.stills(expanded: expanded, others: others, of: small)
    }

    /// Makes the expanded rendition: copied, or rendered, cropped and encoded.
    private func makeExpanded(
        _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        let plan = context.plan
        guard plan.treatment != .copy else { return EncodedRendition(keeping: plan.header) }
        var picture = try context.decoding { () throws(VipsError) in
            try render(context)
        }
        let notes = picture.notes
        guard picture.hasAlpha || plan.isCropped else {
            return try context.fit(
                picture, by: .expanded(part: nil, notes: notes, context),
                rerender: { () throws(VipsError) in try render(context) })
        }
        // JPEG or PNG depends on alpha, and the crop on attention. Both need every pixel first.
        let (kept, part) = try context.decoding { () throws(VipsError) in
            let cropped = try crop(hold(picture.read(), in: context.scratch), by: plan)
            return (try cropped.image.withoutOpaqueAlpha(), cropped.part)
        }
        if plan.treatment == .copyUnlessOpaque, kept.hasAlpha {
            return EncodedRendition(keeping: plan.header)
        }
        // Replaces, and so releases, the turned picture.
        picture = try context.decoding { () throws(VipsError) in
            try RenderedPicture(held: { kept })
        }
        return try context.fit(
            picture, by: .expanded(part: part, notes: notes, context), rerender: nil)
    }

    /// Decodes, resizes, converts and orients the picture; the result is held if it was turned,
    /// else streamed.
    ///
    /// Colour conversion and orientation follow the reduction, because a tenth of the pixels is
    /// left then; only for linear light colours are converted before, to a known transfer function.
    func render(_ context: RenderingContext) throws(VipsError) -> RenderedPicture {
        let plan = context.plan
        let loaderOrients = plan.decodedHeader.coding.isOrientedByDecoder
        // The first steps load a large profile and build its tables.
        let (coloured, notes) = try ScratchHeap.placing(in: context.conversionHeap) {
            () throws(VipsError) in
            let decoded = try decode(context)
            decoded.image.onProgress { _ in !context.cancellation.isRequested }
            let isLinear = context.settings.isLinear
            let size = loaderOrients ? plan.reducedSize : plan.reducedStoredSize
            let reduced = { (image: VipsImage) throws(VipsError) in
                try resize(
                    image, to: size, box: plan.box, horizontally: plan.kernel, isLinear: isLinear)
            }
            let coloured = try convertColour(
                isLinear ? decoded.image : reduced(decoded.image),
                to: context.settings.colourSpace,
                expectsProfile: plan.decodedHeader.profileBytes > 0, tags: decoded.tags)
            let notes = decoded.notes + [coloured.note].compactMap(\.self)
            return (isLinear ? try reduced(coloured.image) : coloured.image, notes)
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
    ) throws(AttachmentError) -> VipsStill {
        let isCopy = expanded.isCopy
        let warnings = VipsLibrary.warningCount
        let plan = Planner.bannerPlan(
            of: expanded.header, side: context.settings.bannerSideInPixels,
            isLinear: context.settings.isLinear)
        return try context.decoding { () throws(VipsError) in
            let input =
                if let output = expanded.output {
                    try VipsInput(descriptor: output.descriptor)
                } else {
                    try VipsInput(context.file)
                }
            let decoded = try decode(
                input, by: plan,
                strictness: isCopy ? .warning : context.strictness)
            let small = try hold(
                resize(
                    decoded, to: plan.reducedSize,
                    box: Planner.box(from: decoded.size, to: plan.reducedSize),
                    isLinear: context.settings.isLinear),
                in: context.scratch)
            guard !isCopy || VipsLibrary.warningCount == warnings else {
                throw VipsError(
                    operation: expanded.header.format.rawValue, message: "decoded with warnings")
            }
            return VipsStill(image: small, isSmall: true)
        }
    }
}
