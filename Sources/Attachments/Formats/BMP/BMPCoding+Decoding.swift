internal import AttachmentContainer
package import AttachmentModel

extension BMPCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        .rows(
            try BMPRows(
                input.openFile, structure, isTolerant: input.isTolerant,
                isCancelled: input.isCancelled))
    }

    package var libraryLoader: String? { nil }

    package func endsEarly(_ file: AttachmentFile) -> Bool {
        structure.requiredLength.map { file.length.bytes < $0 } ?? false
    }
}
