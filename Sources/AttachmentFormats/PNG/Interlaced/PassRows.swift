/// Rows of a pass; after a missing one, all are missing.
final class PassRows {
    private let rows: PNGFilteredRows
    private var rowsLeft: Int

    init(
        _ pass: Adam7.Pass, of header: PNGImageHeader, inflater: ImageDataInflater,
        isTolerant: Bool
    ) {
        rowsLeft = pass.height
        rows = PNGFilteredRows(
            inflater, bytes: pass.rowBytes, unit: max(header.bitsPerPixel / 8, 1),
            endsAtUnknownFilter: isTolerant)
    }

    /// Decodes the next row, valid until the next call and padded by `RowBuffer.padding`.
    func next() throws(DecodingFault) -> UnsafePointer<UInt8>? {
        guard rowsLeft > 0 else { return nil }
        guard let row = try rows.next() else {
            rowsLeft = 0
            return nil
        }
        rowsLeft -= 1
        return row
    }
}
