package import AttachmentFormats
package import AttachmentModel

#if SYSTEM_CODECS
    extension JPEGXLCoding: DecodableCoding {
        package func open(
            _ header: AttachmentHeader, in input: DecoderInput
        ) throws(DecodingFault) -> BoundedPicture {
            let rows = try JPEGXLRows(header, self, in: input)
            guard output == .highDynamicRange else { return .rows(rows) }
            guard let mapped = ToneMappedRows(rows, from: colours) else {
                throw DecodingFault(.unsupported, at: 0, "a transfer function without tone mapping")
            }
            return .rows(mapped)
        }

        package var libraryLoader: String? { nil }
    }
#endif
