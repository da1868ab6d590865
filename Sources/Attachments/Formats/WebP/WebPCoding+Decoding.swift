import AttachmentContainer
package import AttachmentModel

extension WebPCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        switch self {
        case .lossless:
            .rows(
                try LosslessWebPRows(
                    input.openFile, scratch: input.scratch, isTolerant: input.isTolerant))
        case .lossy:
            .rows(
                try LossyWebPRows(
                    input.openFile,
                    width: input.requestedSize.width, height: input.requestedSize.height,
                    scratch: input.requiredScratch(), isTolerant: input.isTolerant))
        }
    }

    package func openPlanes(
        in input: DecoderInput
    ) throws(DecodingFault) -> (any DecodedPlanes)? {
        guard self == .lossy else { return nil }
        return try LossyWebPPlanes(
            input.openFile, loadShrink: input.loadShrink, scratch: input.requiredScratch(),
            isTolerant: input.isTolerant)
    }

    package var libraryLoader: String? { "webpload_source" }

    /// The length after "RIFF" is little-endian and counts the rest.
    package func endsEarly(_ file: AttachmentFile) -> Bool {
        guard let size = file.bigEndianWord(at: 4) else { return true }
        return Int(size.byteSwapped) + 8 > file.length.bytes
    }
}
