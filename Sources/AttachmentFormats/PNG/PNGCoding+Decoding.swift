import AttachmentContainer
package import AttachmentModel

extension PNGCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        .simplerFile(
            try InterlacedPNGStream(
                input.openFile, isTolerant: input.isTolerant))
    }

    package var libraryLoader: String? { "pngload_source" }

    package func strippedFile(in input: DecoderInput) -> (any SimplerFile)? {
        StrippedPNGStream(input.openFile)
    }

    /// Walks the chunks up to IEND (PNG specification, 5.3).
    package func endsEarly(_ file: AttachmentFile) -> Bool {
        var offset = 8
        while let size = file.bigEndianWord(at: offset),
            let type = file.bigEndianWord(at: offset + 4)
        {
            // Length, type, data, CRC.
            offset += 12 + Int(size)
            if type == Self.end { return offset > file.length.bytes }
        }
        return true
    }

    /// "IEND".
    private static let end: UInt32 = 0x4945_4E44
}
