import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning

/// Opens the attachment with one of our own decoders; rows are decoded on demand.
///
/// The picture has the decoder's size and the file's colours.
func decodeBounded(_ context: RenderingContext) throws(VipsError) -> DecodedImage {
    let file = context.file
    let picture = try VipsError.rethrowing { () throws(DecodingFault) in
        try openBounded(context)
    }
    switch picture {
    case .planes, .coefficients:
        throw VipsError(operation: "open", message: "only rows and files are supported")
    case .simplerFile(let simpler):
        return DecodedImage(
            image: try decode(
                VipsInput(simpler, of: file), by: context.plan, strictness: context.strictness),
            tags: context.plan.decodedHeader.colourTags)
    case .rows(let rows):
        let layout = rows.layout
        let image = try VipsImage.rows(
            size: PixelSize(width: layout.width, height: layout.height), bands: layout.bands,
            isDeep: layout.bytesPerSample == 2,
            colours: layout.isCMYK ? .cmyk : layout.bands < 3 ? .grey : .rgb, profile: rows.profile
        ) { row throws(DecodingFault) in
            try withExtendedLifetime(file) { () throws(DecodingFault) in
                try rows.readRow(into: row)
            }
        }
        return DecodedImage(image: image, tags: rows.tags, notes: rows.notes)
    }
}

private func openBounded(_ context: RenderingContext) throws(DecodingFault) -> BoundedPicture {
    let plan = context.plan
    let header = plan.decodedHeader
    guard let coding = header.decodableCoding else {
        throw DecodingFault(.unsupported, at: 0, "\(header.coding.name) has no decoder")
    }
    return try coding.open(header, in: context.decoderInput(isPreview: plan.rung == .preview))
}
