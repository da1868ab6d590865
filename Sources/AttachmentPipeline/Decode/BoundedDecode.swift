import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

/// Opens the attachment with one of our own decoders; rows are decoded on demand.
///
/// The picture has the decoder's size and the file's colours. `context` records a decoder's fault.
func decodeBounded(
    _ file: AttachmentFile, by plan: Plan, _ context: RenderingContext
) throws(VipsError) -> VipsImage {
    let picture = try context.record.rethrowing { () throws(DecodingFault) in
        try openBounded(file, by: plan, context)
    }
    let record = context.record
    switch picture {
    case .simplerFile(let simpler):
        return try decode(
            VipsInput(simpler, of: file, record), by: plan, strictness: context.strictness)
    case .rows(let rows):
        // Assigned, not appended: a rendition over its byte ceiling is decoded again.
        record.notes = rows.notes
        let layout = rows.layout
        return try .rows(
            size: PixelSize(width: layout.width, height: layout.height), bands: layout.bands,
            isDeep: layout.bytesPerSample == 2,
            colours: layout.isCMYK ? .cmyk : layout.bands < 3 ? .grey : .rgb,
            profile: rows.profile
        ) { row in
            withExtendedLifetime(file) {
                record.capturing { () throws(DecodingFault) in try rows.readRow(into: row) } != nil
            }
        }
    }
}

private func openBounded(
    _ file: AttachmentFile, by plan: Plan, _ context: RenderingContext
) throws(DecodingFault) -> BoundedPicture {
    if plan.decoder == .animation { return .rows(try openFrame(of: file, by: plan, context)) }
    let header = plan.decodedHeader
    guard let coding = header.decodableCoding else {
        throw DecodingFault(.unsupported, at: 0, "\(header.coding.name) has no decoder")
    }
    return try coding.open(
        header,
        in: DecoderInput(
            file, isTolerant: context.strictness == .tolerant, isPreview: plan.rung == .preview,
            requestedSize: plan.reducedStoredSize, loadShrink: plan.loadShrink,
            scratch: context.scratch, isCancelled: context.isCancelled))
}

private func openFrame(
    of file: AttachmentFile, by plan: Plan, _ context: RenderingContext
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

extension RenderingContext {
    /// The scratch space, or an error with code `scratch`.
    func requiredScratch() throws(DecodingFault) -> ScratchSpace {
        guard let scratch else { throw .noScratch }
        return scratch
    }
}
