package import AttachmentModel

extension TIFFCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        .rows(
            try TIFFRows(
                input.openFile, scratch: input.requiredScratch(), isTolerant: input.isTolerant))
    }

    package var libraryLoader: String? { "tiffload_source" }
}
