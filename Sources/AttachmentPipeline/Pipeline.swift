import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Logging

/// The pipeline, from top to bottom: probe → plan → decode → resize → colour → orient → crop →
/// encode → banner and placeholder → facts for publishing.
///
/// Each step takes values and returns values: the picture, notes for the manifest, the number of
/// the still frame. They share only the immutable `RenderingContext` of the attempt.
extension AttachmentRenderer {
    /// Probes and plans an attachment, and makes its renditions; none if known ones are as good.
    func process(
        _ request: RenderRequest, _ cancellation: Cancellation
    ) async throws(AttachmentError) -> (rendering: Rendering, outputs: [OwnedDescriptor]) {
        let interval = recorder.begin()
        defer { recorder.end(interval) }
        let header: AttachmentHeader
        switch try await runBlocking({ () throws(AttachmentError) in try probe(request) }) {
        case .picture(let picture): header = picture
        case .media(let media):
            let budget = budget
            let attachment = try passThrough(media, request.file)
            let predicted = MemoryDemand.passThrough.predictedPeak(in: budget)
            return (Rendering(attachment, memory: memoryUse(budget, predicted, interval)), [])
        }
        let budget = budget
        let ladder = ladder(of: header)
        let step = ladder.step(within: budget, below: request.below)
        if let known = request.known, step.map({ known.isAsGood(as: $0.plan.rung) }) ?? true {
            return (Rendering(nil, memory: memoryUse(budget, nil, interval)), [])
        }
        guard var step else { throw ladder.refusal(of: request.file.path, within: budget) }
        // The estimate for animations needs the number of frames, which is not known yet.
        if step.plan.decoder != .animation {
            try cancellation.requireTime(
                DecodingTime.estimate(of: step.plan), for: request.file.path)
        }
        while true {
            do throws(AttachmentError) {
                return try await run(step, budget, for: request, cancellation, interval)
            } catch {
                guard let ladder = fallbackLadder(after: error, of: step.plan) else { throw error }
                guard let next = ladder.step(within: budget, below: request.below) else {
                    throw ladder.refusal(of: request.file.path, within: budget)
                }
                step = next
            }
        }
    }

    private func run(
        _ step: PlanLadder.Step, _ budget: MemoryBudget, for request: RenderRequest,
        _ cancellation: Cancellation, _ interval: PeakRecorder.Interval
    ) async throws(AttachmentError) -> (rendering: Rendering, outputs: [OwnedDescriptor]) {
        logger.debug("planned", metadata: ["plan": "\(step.plan)"])
        return try await granted(step, of: budget, for: request) { grant throws(AttachmentError) in
            defer { SmallHeap.trim() }
            willDecode(step.plan.rung, step.predictedPeak(in: budget))
            let rendered = try makeRenditions(step.plan, request, grant, cancellation)
            guard !cancellation.isRequested else { throw .cancelled(request.file.path) }
            let predicted = step.predictedPeak(in: budget).bytes + grant.added.bytes
            let memory = memoryUse(budget, ByteCount(predicted), interval)
            return (Rendering(rendered.attachment, memory: memory), rendered.outputs)
        }
    }

    private func memoryUse(
        _ budget: MemoryBudget, _ predictedPeak: ByteCount?, _ interval: PeakRecorder.Interval
    ) -> MemoryUse {
        MemoryUse(
            baseline: budget.baseline, predictedPeak: predictedPeak,
            measuredPeak: recorder.peak(of: interval))
    }

    /// Decodes a picture again after a harmless warning.
    ///
    /// libjpeg reports damage inside a scan and harmless oddities alike as warnings. After a
    /// harmless one the picture is decoded again, and then only truncation is an error.
    private func makeRenditions(
        _ plan: Plan, _ request: RenderRequest, _ grant: MemoryLedger.Grant,
        _ cancellation: Cancellation
    ) throws(AttachmentError) -> (attachment: RenderedAttachment, outputs: [OwnedDescriptor]) {
        let strictness = DecodeStrictness(
            for: plan.header.format, tolerant: settings.toleratesTruncation)
        do {
            return try makeRenditions(plan, request, strictness, grant, cancellation, notes: [])
        } catch {
            guard plan.treatment == .encode, let note = error.ignorableWarningNote else {
                throw error
            }
            return try makeRenditions(
                plan, request, .truncation, grant, cancellation, notes: [note])
        }
    }

    private func makeRenditions(
        _ plan: Plan, _ request: RenderRequest, _ strictness: DecodeStrictness,
        _ grant: MemoryLedger.Grant, _ cancellation: Cancellation, notes: [String]
    ) throws(AttachmentError) -> (attachment: RenderedAttachment, outputs: [OwnedDescriptor]) {
        let context = RenderingContext(
            plan: plan, file: request.file, strictness: strictness, cancellation: cancellation,
            grant: grant, scratch: plan.usesScratch ? scratch : nil,
            conversionHeap: try conversionHeap(for: plan.decodedHeader, request.file),
            outputs: RenditionOutputs(from: request.outputs))
        let renditions = try makeRenditions(context)
        return (RenderedAttachment(renditions, plan, notes: notes), context.outputs.files)
    }

    /// Makes the animation, the expanded rendition, and from its encoded bytes the others.
    private func makeRenditions(_ context: RenderingContext) throws(AttachmentError) -> Renditions {
        guard context.plan.engine == .libvips else { return try makeRenditionsByRows(context) }
        let animation = context.plan.decoder == .animation ? try animate(context) : nil
        let expanded = try makeExpanded(frame: animation?.stillFrame ?? 0, context)
        let small = try decodeForBanner(expanded, context)
        let miniature = try context.decoding { () throws(VipsError) in try Miniature(of: small) }
        guard let placeholder = Placeholder(miniature) else {
            throw AttachmentError(
                .corrupt, file: context.file.path,
                reason: "its miniature came out at \(miniature.size) pixels")
        }
        let banner = try makeBanner(from: small, where: Attention(miniature), context)
        return Renditions(
            animation: animation, expanded: expanded, banner: banner, placeholder: placeholder)
    }

    /// Makes the expanded rendition: copied, or rendered, cropped and encoded.
    private func makeExpanded(
        frame: Int, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        let (plan, floor) = (context.plan, settings.bannerSideInPixels)
        guard plan.treatment != .copy else { return EncodedRendition(keeping: plan.header) }
        var picture = try context.decoding { () throws(VipsError) in
            try render(frame: frame, context)
        }
        guard picture.hasAlpha || plan.isCropped else {
            return try fit(
                picture, part: nil,
                rerender: { () throws(VipsError) in try render(frame: frame, context) },
                floor: floor, context)
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
        return try fit(picture, part: part, rerender: nil, floor: floor, context)
    }

    /// Decodes, resizes, converts and orients the picture; the result is held if it was turned,
    /// else streamed.
    ///
    /// Colour conversion and orientation follow the reduction, because a tenth of the pixels is
    /// left then. `frame` is the number of an animation's frame to show.
    private func render(
        frame: Int, _ context: RenderingContext
    ) throws(VipsError) -> RenderedPicture {
        let plan = context.plan
        let loaderOrients = plan.decodedHeader.coding.isOrientedByDecoder
        // The first steps load a large profile and build its tables.
        let (coloured, notes) = try ScratchHeap.placing(in: context.conversionHeap) {
            () throws(VipsError) in
            let decoded = try decode(frame: frame, context)
            decoded.image.onProgress { _ in !context.cancellation.isRequested }
            let reduced = try resize(
                decoded.image, to: loaderOrients ? plan.reducedSize : plan.reducedStoredSize,
                box: plan.box, horizontally: plan.kernel)
            return (try convertColour(reduced, to: settings.colourSpace), decoded.notes)
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
    /// That of a panorama is much larger than the banner. For a copied attachment this step finds
    /// damage. Any decoder warning is an error then, because stricter decoders refuse such a file.
    private func decodeForBanner(
        _ expanded: EncodedRendition, _ context: RenderingContext
    ) throws(AttachmentError) -> VipsImage {
        let descriptor = expanded.output?.descriptor ?? context.file.descriptor
        let isCopy = expanded.isCopy
        let warnings = VipsLibrary.warningCount
        let plan = Planner.bannerPlan(of: expanded.header, side: settings.bannerSideInPixels)
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
        let side = min(settings.bannerSideInPixels, small.size.width, small.size.height)
        let square = Cutout(PixelSize(width: side, height: side), of: small.size, where: attention)
        let picture = try context.decoding { () throws(VipsError) in
            let cut = try small.cut(square).inMemory().withoutOpaqueAlpha()
            return try RenderedPicture(held: { cut })
        }
        return try fit(picture, part: square.part, rerender: nil, floor: side / 4, context)
    }
}
