internal import AttachmentContainer
internal import AttachmentIntake

/// Makes rows of the columns of a stored picture, for orientations that exchange its sides.
protocol Transposing: AnyObject {
    /// Writes a row.
    ///
    /// - Parameters:
    ///   - next: Which; rows are asked for in order.
    ///   - stored: The rows whose columns it is made of.
    ///   - row: Room for the row.
    /// - Throws: `DecodingFault`.
    func readRow(
        _ next: Int, of stored: any StoredRows, into row: UnsafeMutableRawBufferPointer
    ) throws(DecodingFault)
}

/// Ways to transpose.
enum Transposition {
    /// Chooses a way.
    ///
    /// - Parameters:
    ///   - picture: What is transposed.
    ///   - stored: Its rows.
    ///   - rowBytes: What a row takes that is made, in bytes.
    ///   - scratch: Where a transposed picture may lie.
    ///   - file: The file, which knows whether the work was withdrawn.
    ///   - directBytes: What the tiles below each other may take for reading their rows again for
    ///     each block of columns, in bytes.
    /// - Returns: The way.
    static func of(
        _ picture: HEIFPicture, _ stored: any StoredRows, rowBytes: Int, scratch: ScratchSpace,
        file: HEIFFile, directBytes: Int
    ) -> any Transposing {
        // Planes with chroma halved both ways take half as much again as luma.
        let columnBytes =
            Double(stored.tileWidth) * Double(picture.size.height) * 1.5
            * Double(stored.bytesPerSample)
        return columnBytes <= Double(directBytes)
            ? BlockTransposition(picture.transformation, rowBytes: rowBytes)
            : ScratchTransposition(
                picture.transformation, rowBytes: rowBytes, scratch: scratch, file: file)
    }
}
