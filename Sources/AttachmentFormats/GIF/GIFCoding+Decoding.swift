package import AttachmentModel

extension GIFCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        .rows(
            try GIFRows(
                input.openFile, isTolerant: input.isTolerant, mayHaveAlpha: header.hasAlpha,
                isStrict: input.isStrict, notes: input.notes))
    }

    package var libraryLoader: String? { "gifload_source" }
}
