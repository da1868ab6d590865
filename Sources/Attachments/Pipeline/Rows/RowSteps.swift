import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

/// Steps of the engine of rows, on views of held planes.
struct RowSteps: StillsSteps {
    let context: RenderingContext

    func reduced(
        _ view: PictureView, to size: PixelSize
    ) throws(AttachmentError) -> PictureView {
        guard size != view.size else { return view }
        return try context.decodingRows { () throws(DecodingFault) in
            PictureView(
                try reduce(
                    PictureViewRows(view), to: size, isLinear: context.settings.isLinear,
                    scratch: context.scratch, isCancelled: context.isCancelled))
        }
    }

    func cut(
        _ view: PictureView, to cutout: Cutout
    ) -> (picture: PictureView, part: UnitRectangle?) {
        let aligned = cutout.aligned
        return (view.cut(aligned), aligned.part)
    }

    /// Reduces twice, because one large reduction holds many rows.
    func miniature(of view: PictureView) throws(AttachmentError) -> Miniature {
        let small = try reduced(view, to: context.sizeCoveringBanner(of: view.size))
        return try context.decodingRows { () throws(DecodingFault) in
            try Miniature(of: small, context)
        }
    }

    func encode(
        _ view: PictureView, by order: RenditionOrder
    ) throws(AttachmentError) -> EncodedRendition {
        let sample = PNGSample(of: view)
        return try context.fit(
            PictureFacts(
                order, size: view.size, hasAlpha: !view.isOpaque,
                isGrey: view.picture.colours.isGrey,
                content: context.plan.header.format == .jpeg
                    ? .continuous : PictureContent(of: view),
                hasSharpChroma: context.plan.decodedHeader.hasFullChroma && view.hasSharpChroma),
            score: { output throws(AttachmentError) in
                try context.score(of: output, against: PictureViewRows(view))
            },
            forecast: { isRefined throws(AttachmentError) in
                do throws(EncodingFailure) {
                    return try sample.forecast(isRefined: isRefined)
                } catch {
                    throw .unwritten(context.file.path, error)
                }
            }
        ) { attempt, output throws(AttachmentError) in
            let smaller = try reduced(view, to: attempt.size)
            do throws(EncodingFailure) {
                try encodeFile(
                    of: smaller, as: attempt, to: output.target,
                    attempt.size == view.size ? sample : PNGSample(of: smaller))
            } catch {
                throw .unwritten(context.file.path, error)
            }
        }
    }

    func rewritten() throws(AttachmentError) -> EncodedRendition {
        context.plan.treatment == .turn ? try turn() : try strip()
    }

    private func encodeFile(
        of view: PictureView, as attempt: EncodingLadder.Attempt, to target: WritingTarget,
        _ sample: PNGSample
    ) throws(EncodingFailure) {
        switch attempt.encoding {
        case .jpeg(let quality), .fullChromaJPEG(let quality):
            let repeated = context.tablesToRepeat(at: quality, view.size)
            let output = JPEGOutput(
                tables: repeated ?? context.settings.effort.tables, quality: quality,
                halvesChroma: attempt.encoding == .jpeg(quality: quality),
                isRepeated: repeated != nil)
            try encodeJPEG(view, output, to: target)
        case .png:
            let isDense = attempt.isDense ? true : try sample.favoursDense
            try encodePNG(view, isDense: isDense, to: target)
        case .palettePNG:
            try encodePalettePNG(PackedPixels(of: view), isDense: attempt.isDense, to: target)
        }
    }
}

extension RenderingContext {
    /// Tables of a JPEG that keeps its size and quality; nil for other pictures.
    ///
    /// Other tables would lose in every coefficient once more.
    fileprivate func tablesToRepeat(at quality: Int, _ size: PixelSize) -> JPEGQuantisation? {
        let source = plan.decodedHeader
        guard let coding = source.coding as? JPEGCoding, coding.quality == quality,
            source.uprightSize == size
        else { return nil }
        return coding.tables
    }

    /// Runs a step of the engine of rows, and converts its error to the attachment's.
    func decodingRows<Value>(
        _ step: () throws(DecodingFault) -> Value
    ) throws(AttachmentError) -> Value {
        do {
            return try step()
        } catch {
            guard !cancellation.isRequested else { throw .cancelled(file.path) }
            throw AttachmentError(error, of: file, plan.header)
        }
    }
}

extension AttachmentError {
    fileprivate static func unwritten(
        _ file: String, _ failure: EncodingFailure
    ) -> AttachmentError {
        AttachmentError(
            .storage, file: file, reason: "the rendition cannot be written",
            detail: failure.reason)
    }
}
