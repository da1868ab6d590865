package import AttachmentModel

extension JPEGCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        .simplerFile(
            try ProgressiveJPEGStream(
                descriptor: input.descriptor, length: input.length, loadShrink: input.loadShrink,
                isTolerant: input.isTolerant))
    }

    package var libraryLoader: String? { "jpegload_source" }

    package func strippedFile(in input: DecoderInput) -> (any SimplerFile)? {
        StrippedJPEGStream(descriptor: input.descriptor, length: input.length)
    }
}
