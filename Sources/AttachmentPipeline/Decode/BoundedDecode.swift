import AttachmentAnimation
import AttachmentContainer
import AttachmentDecoding
import AttachmentIntake
import AttachmentPlanning

/// Opens the attachment with a decoder of ours; pixels come later, row by row, as they are asked for.
///
/// - Parameters:
///   - file: The attachment.
///   - plan: How to decode it; its decoder is not the library's.
///   - context: Which damage is an error, where scratch files lie, when to stop; it keeps the fault
///     of the decoder.
/// - Returns: The picture, at the decoder's size, in the file's colours.
/// - Throws: `VipsError`.
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

/// Finds the decoder of ours for an attachment.
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
                    height: plan.reducedStoredSize.height, scratch: context.neededScratch(),
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
            descriptor: descriptor, length: length, scratch: context.neededScratch(),
            isTolerant: isTolerant)
        if rows.isClipped { context.record.notes = ["floating-point samples clipped to 0…1"] }
        return rows
    }

    private func openFrame(
        by plan: Plan, _ context: RenderingContext
    ) throws(DecodingFault) -> TellingFrameRows {
        let scratch = try context.neededScratch()
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
            scratch: context.neededScratch(),
            isTolerant: isTolerant, heapCeiling: plan.frameCeiling,
            isCancelled: { context.cancellation.isRequested })
        // Once, though a rendition over its byte ceiling is decoded again.
        if rows.isToneMapped { context.record.notes = ["tone-mapped from high dynamic range"] }
        return rows
    }
}

extension Plan {
    /// The ceiling on the heap for decoding one frame of HEVC or AV1, in bytes.
    fileprivate var frameCeiling: Int {
        let frame = HEIFDemand.frame(of: decodedHeader)
        return Int(min(frame, 1e15) + FrameDemand.slack)
    }
}

extension RenderingContext {
    /// Where frames lie.
    ///
    /// - Returns: The space.
    /// - Throws: `DecodingFault` with code `scratch` when there is no such place.
    func neededScratch() throws(DecodingFault) -> ScratchSpace {
        guard let scratch else {
            throw DecodingFault(.scratch, at: 0, "there may be no scratch file")
        }
        return scratch
    }
}

/// What a decoder of ours gives.
private enum BoundedPicture {
    case simplerFile(any SimplerFile)
    case rows(any DecodedRows)

    /// The picture in libvips, which keeps the file open as long as it needs it.
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
                    record.keeping { () throws(DecodingFault) in try rows.readRow(into: row) }
                        != nil
                }
            }
        }
    }
}
