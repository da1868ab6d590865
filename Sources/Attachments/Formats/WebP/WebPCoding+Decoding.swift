import AttachmentContainer
package import AttachmentModel

extension WebPCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        guard self == .lossy else {
            return .rows(
                try LosslessWebPRows(
                    input.openFile, scratch: input.scratch, isTolerant: input.isTolerant))
        }
        let scratch = try input.requiredScratch()
        if input.engine == .rows, !(input.isLinear && header.hasAlpha) {
            return .planes(
                try LossyWebPPlanes(
                    input.openFile, loadShrink: input.loadShrink, scratch: scratch,
                    isTolerant: input.isTolerant,
                    threads: hasFilterThread(header) ? input.threads : 1))
        }
        return .rows(
            try LossyWebPRows(
                input.openFile, width: input.requestedSize.width,
                height: input.requestedSize.height, scratch: scratch,
                isTolerant: input.isTolerant))
    }

    package var libraryLoader: String? { "webpload_source" }

    /// The length after "RIFF" is little-endian and counts the rest.
    package func endsEarly(_ file: AttachmentFile) -> Bool {
        guard let size = file.bigEndianWord(at: 4) else { return true }
        return Int(size.byteSwapped) + 8 > file.length.bytes
    }
}
