package import AttachmentFormats
package import AttachmentModel

#if SYSTEM_CODECS
    extension JPEGXLCoding: DecodableCoding {
        package func open(
            _ header: AttachmentHeader, in input: DecoderInput
        ) throws(DecodingFault) -> BoundedPicture {
            if isDecodedByJPEG, let scratch = input.scratch,
                let jpeg = try TranscodedJPEG(header, self, in: input, scratch)
            {
                return .simplerFile(jpeg)
            }
            let rows = try JPEGXLRows(header, self, in: input)
            return .rows(ToneMappedRows(rows) ?? rows)
        }

        package var libraryLoader: String? { nil }
    }
#endif
