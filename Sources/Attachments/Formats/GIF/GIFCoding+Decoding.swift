package import AttachmentModel

extension GIFCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        .rows(
            try GIFRows(
                input.openFile,
                tolerating: input.isStrict
                    ? .nothing : input.isTolerant ? .everything : .harmless,
                mayHaveAlpha: header.hasAlpha, notes: input.notes, isCancelled: input.isCancelled))
    }

    package var libraryLoader: String? { "gifload_source" }
}
