package import AttachmentModel

extension GIFCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        .rows(
            try GIFRows(
                descriptor: input.descriptor, length: input.length, isTolerant: input.isTolerant,
                mayHaveAlpha: header.hasAlpha))
    }

    package var libraryLoader: String? { "gifload_source" }
}
