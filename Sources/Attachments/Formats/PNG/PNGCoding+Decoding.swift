import AttachmentContainer
package import AttachmentModel

extension PNGCoding: DecodableCoding {
    package func open(
        _ header: AttachmentHeader, in input: DecoderInput
    ) throws(DecodingFault) -> BoundedPicture {
        guard input.engine == .rows || Self.isToneMapped(header) else {
            return .simplerFile(
                try InterlacedPNGStream(
                    input.openFile, isTolerant: input.isTolerant, notes: input.notes))
        }
        let rows = try PNGRows(input)
        return .rows(ToneMappedRows(rows) ?? rows)
    }

    package var libraryLoader: String? { "pngload_source" }

    package func strippedFile(in input: DecoderInput) -> (any SimplerFile)? {
        StrippedPNGStream(input.openFile)
    }

    /// Walks the chunks up to IEND (PNG specification, 5.3).
    package func endsEarly(_ file: AttachmentFile) -> Bool {
        var window = FileWindow(file.openFile, capacity: PNGChunk.headerBytes)
        window.seek(to: InterlacedPNGStream.signature.count)
        while let chunk = try? window.readPNGChunk() {
            if chunk.type == .imageEnd { return chunk.end > file.length.bytes }
            window.seek(to: chunk.end)
        }
        return true
    }
}
