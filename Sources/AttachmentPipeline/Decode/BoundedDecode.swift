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
/// - Returns: The first frame, at the decoder's size, in the file's colours.
/// - Throws: `VipsError`.
func decodeBounded(
    _ file: AttachmentFile, by plan: Plan, _ context: RenderingContext
) throws(VipsError) -> VipsImage {
    let isTolerant = context.strictness == .tolerant
    let (descriptor, length) = (file.descriptor, file.length.bytes)
    let picture = try context.faults.rethrowing { () throws(DecodingFault) -> BoundedPicture in
        switch plan.header.format {
        case .png:
            .simplerFile(
                try InterlacedPNGStream(
                    descriptor: descriptor, length: length, isTolerant: isTolerant))
        case .jpeg, .webp, .gif, .heic, .avif, .tiff:
            throw DecodingFault(.unsupported, at: 0, "there is no decoder of ours for it")
        }
    }
    return try picture.opened(by: plan, file, context)
}

/// What a decoder of ours gives.
private enum BoundedPicture {
    case simplerFile(any SimplerFile)
    case rows(any DecodedRows)

    /// The picture in libvips, which keeps the file open as long as it needs it.
    func opened(
        by plan: Plan, _ file: AttachmentFile, _ context: RenderingContext
    ) throws(VipsError) -> VipsImage {
        let faults = context.faults
        switch self {
        case .simplerFile(let simpler):
            let input = try VipsInput { buffer in
                withExtendedLifetime(file) {
                    faults.keeping { () throws(DecodingFault) in try simpler.read(into: buffer) }
                }
            }
            return try decode(input, by: plan, strictness: context.strictness)
        case .rows(let rows):
            let layout = rows.layout
            return try .rows(
                size: PixelSize(width: layout.width, height: layout.height), bands: layout.bands,
                isDeep: layout.bytesPerSample == 2, colours: layout.bands < 3 ? .grey : .rgb,
                profile: rows.profile
            ) { row in
                withExtendedLifetime(file) {
                    faults.keeping { () throws(DecodingFault) in try rows.readRow(into: row) }
                        != nil
                }
            }
        }
    }
}
