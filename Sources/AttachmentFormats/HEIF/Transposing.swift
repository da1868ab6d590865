internal import AttachmentContainer

/// Transposition of a stored picture, for orientations that exchange its sides.
protocol Transposing: AnyObject {
    /// Writes output row `next`, made from a column of `stored`; rows are requested in order.
    func readRow(
        _ next: Int, of stored: any StoredRows, into row: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault)
}

/// Choice of a transposition.
enum Transposition {
    /// Chooses by the size of a column of tiles: up to `directBytes`, rows are read again for each
    /// block of columns.
    static func of(
        _ picture: HEIFPicture, _ stored: any StoredRows, rowBytes: Int, scratch: ScratchSpace,
        file: HEIFFile, directBytes: Int
    ) -> any Transposing {
        // Planes with chroma halved in both directions take 1.5 times the size of luma.
        let columnBytes =
            Double(stored.tileWidth) * Double(picture.size.height) * 1.5
            * Double(stored.bytesPerSample)
        return columnBytes <= Double(directBytes)
            ? BlockTransposition(picture.transformation, rowBytes: rowBytes)
            : ScratchTransposition(
                picture.transformation, rowBytes: rowBytes, scratch: scratch, file: file)
    }
}
