package import AttachmentModel

extension JPEGCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        .simplerFile(
            try ProgressiveJPEGStream(
                input.openFile, loadShrink: input.loadShrink, isTolerant: input.isTolerant))
    }

    package var libraryLoader: String? { "jpegload_source" }

    package func strippedFile(in input: DecoderInput) -> (any SimplerFile)? {
        StrippedJPEGStream(input.openFile)
    }
}
