package import AttachmentModel

extension TIFFCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        #if SYSTEM_CODECS
            let rows = try TIFFRows(
                input.openFile, scratch: input.requiredScratch(), isTolerant: input.isTolerant,
                notes: input.notes)
            return .rows(rows.isLab ? LabRows(rows) : rows)
        #else
            throw .notBuilt(.libtiff)
        #endif
    }

    package var libraryLoader: String? { "tiffload_source" }
}
