package import AttachmentModel

extension JPEGCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        let (file, shrink, isTolerant) = (input.openFile, input.loadShrink, input.isTolerant)
        switch input.engine {
        case .rows:
            return .coefficients(
                try JPEGCoefficients(
                    file, loadShrink: shrink, isTolerant: isTolerant, notes: input.notes))
        case .libvips:
            return .simplerFile(
                try ProgressiveJPEGStream(
                    file, loadShrink: shrink, isTolerant: isTolerant, notes: input.notes))
        }
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
