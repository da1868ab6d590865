package import AttachmentModel

extension JPEGCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        .simplerFile(
            try ProgressiveJPEGStream(
                input.openFile, loadShrink: input.loadShrink, isTolerant: input.isTolerant,
                notes: input.notes))
    }

    package var libraryLoader: String? { "jpegload_source" }

    package func strippedFile(in input: DecoderInput) -> (any SimplerFile)? {
        // A tolerant library recovers by itself.
        let mending =
            input.isTolerant
            ? nil
            : JPEGMending(
                components: sampling.components.count, isBaseline: process == .baseline,
                notes: input.notes)
        return StrippedJPEGStream(input.openFile, mending: mending)
    }
}
