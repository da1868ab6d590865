import AttachmentAnimation
import AttachmentContainer
import AttachmentDecoding
import AttachmentIntake
import AttachmentPlanning

/// Opens the attachment with one of our own decoders; rows are decoded on demand.
///
/// The picture has the decoder's size and the file's colours. `context` records a decoder's fault.
func decodeBounded(
    _ file: AttachmentFile, by plan: Plan, _ context: RenderingContext
) throws(VipsError) -> VipsImage {
    let decoder = BoundedDecoder(
        file: file, descriptor: file.descriptor, length: file.length.bytes,
        isTolerant: context.strictness == .tolerant)
    let picture = try context.record.rethrowing { () throws(DecodingFault) in
        try decoder.open(by: plan, context)
    }
    return try picture.opened(by: plan, file, context)
}

private struct BoundedDecoder {
    let file: AttachmentFile
    let descriptor: CInt
    let length: Int
    let isTolerant: Bool

    func open(by plan: Plan, _ context: RenderingContext) throws(DecodingFault) -> BoundedPicture {
        if plan.decoder == .animation { return .rows(try openFrame(by: plan, context)) }
        return switch plan.header.format {
        case .jpeg:
            .simplerFile(
                try ProgressiveJPEGStream(
                    descriptor: descriptor, length: length, loadShrink: plan.loadShrink,
                    isTolerant: isTolerant))
        case .png:
            .simplerFile(
                try InterlacedPNGStream(
                    descriptor: descriptor, length: length, isTolerant: isTolerant))
        case .webp where plan.header.coding == .lossless:
            .rows(
                try LosslessWebPRows(
                    descriptor: descriptor, length: length, scratch: context.scratch,
                    isTolerant: isTolerant))
        case .webp:
            .rows(
                try LossyWebPRows(
                    descriptor: descriptor, length: length, width: plan.reducedStoredSize.width,
                    height: plan.reducedStoredSize.height, scratch: context.requiredScratch(),
                    isTolerant: isTolerant))
        case .gif:
            .rows(
                try GIFRows(
                    descriptor: descriptor, length: length, isTolerant: isTolerant,
                    mayHaveAlpha: plan.header.hasAlpha))
        case .heic, .avif:
            .rows(try openHEIF(by: plan, context))
        case .tiff:
            .rows(try openTIFF(context))
        }
    }

    private func openTIFF(_ context: RenderingContext) throws(DecodingFault) -> TIFFRows {
        let rows = try TIFFRows(
            descriptor: descriptor, length: length, scratch: context.requiredScratch(),
            isTolerant: isTolerant)
        if rows.isClipped { context.record.notes = ["floating-point samples clipped to 0…1"] }
        return rows
    }

    private func openFrame(
        by plan: Plan, _ context: RenderingContext
    ) throws(DecodingFault) -> TellingFrameRows {
        let scratch = try context.requiredScratch()
        do throws(AnimationFault) {
            return try TellingFrameRows(
                context.record.frame, of: AnimationFile(file, plan.header, context.strictness),
                in: scratch, isCancelled: context.isCancelled)
        } catch {
            throw error.decoding ?? DecodingFault(.cancelled, at: 0, error.reason)
        }
    }

    private func openHEIF(
        by plan: Plan, _ context: RenderingContext
    ) throws(DecodingFault) -> HEIFRows {
        let rows = try HEIFRows(
            plan.rung == .preview ? .thumbnail : .primary, descriptor: descriptor, length: length,
            scratch: context.requiredScratch(),
            isTolerant: isTolerant, heapCeiling: plan.frameCeiling,
            isCancelled: { context.cancellation.isRequested })
        // Assigned, not appended: a rendition over its byte ceiling is decoded again.
        if rows.isToneMapped { context.record.notes = ["tone-mapped from high dynamic range"] }
        return rows
    }
}

extension Plan {
    /// Heap limit for decoding one frame of HEVC or AV1, in bytes.
    fileprivate var frameCeiling: Int {
        let frame = HEIFDemand.frame(of: decodedHeader)
        return Int(min(frame, 1e15) + FrameDemand.slack)
    }
}

extension RenderingContext {
    /// The scratch space, or an error with code `scratch`.
    func requiredScratch() throws(DecodingFault) -> ScratchSpace {
        guard let scratch else {
            throw DecodingFault(.scratch, at: 0, "scratch files are not available")
        }
        return scratch
    }
}

private enum BoundedPicture {
    case simplerFile(any SimplerFile)
    case rows(any DecodedRows)

    /// Wraps the output in a libvips picture, which keeps the file open.
    func opened(
        by plan: Plan, _ file: AttachmentFile, _ context: RenderingContext
    ) throws(VipsError) -> VipsImage {
        let record = context.record
        switch self {
        case .simplerFile(let simpler):
            return try decode(
                VipsInput(simpler, of: file, record), by: plan, strictness: context.strictness)
        case .rows(let rows):
            let layout = rows.layout
            return try .rows(
                size: PixelSize(width: layout.width, height: layout.height), bands: layout.bands,
                isDeep: layout.bytesPerSample == 2,
                colours: layout.isCMYK ? .cmyk : layout.bands < 3 ? .grey : .rgb,
                profile: rows.profile
            ) { row in
                withExtendedLifetime(file) {
                    record.capturing { () throws(DecodingFault) in try rows.readRow(into: row) }
                        != nil
                }
            }
        }
    }
}
