package import AttachmentModel

extension HEIFCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        let frame = HEIFDemand.frame(of: header, self)
        return .rows(
            try HEIFRows(
                isThumbnail: input.isPreview, in: input.openFile,
                scratch: input.requiredScratch(), isTolerant: input.isTolerant,
                heapCeiling: Int(min(frame, 1e15) + FrameDemand.slack), threads: input.threads,
                isCancelled: input.isCancelled))
    }

    /// libheif 1.15 returns uninitialised memory for overlays, and allocates by coded frames.
    package var libraryLoader: String? {
        layout == .overlay || frames.isEmpty ? nil : "heifload_source"
    }
}
