/// Unfiltered rows of a picture or of an interlace pass (PNG specification, 9).
final class PNGFilteredRows {
    private let data: any FilteredData
    /// For rows that the data do not have in one piece.
    private let filtered: RowBuffer
    private let row: RowBuffer
    /// The filters' distance in bytes: a whole pixel, or 1 for smaller pixels.
    private let unit: Int
    private let endsAtUnknownFilter: Bool
    private var rowsLeft: Int

    /// An unknown filter type is a fault, or counts as missing data.
    init(
        _ data: any FilteredData, _ pass: Adam7.Pass, of header: PNGImageHeader,
        endsAtUnknownFilter: Bool = false
    ) {
        (self.data, self.endsAtUnknownFilter) = (data, endsAtUnknownFilter)
        unit = max(1, header.bitsPerPixel / 8)
        rowsLeft = pass.height
        let count = header.rowBytes(pass.width)
        // The filter type precedes the row.
        filtered = RowBuffer(count: count + 1)
        row = RowBuffer(count: count)
    }

    /// Returns the next row, valid until the next call and padded by `RowBuffer.padding`; nil at the
    /// end and from the first row that a tolerant reader misses.
    func next() throws(DecodingFault) -> UnsafePointer<UInt8>? {
        guard rowsLeft > 0 else { return nil }
        let wanted = UnsafeMutableBufferPointer(start: filtered.bytes, count: filtered.count)
        let found = try data.next(wanted)
        guard let found, let filter = RowFilter(rawValue: found[0]) else {
            if let found, !endsAtUnknownFilter {
                throw DecodingFault(
                    PNGFault.filter.loss, at: data.offset, "an unknown filter type \(found[0])")
            }
            rowsLeft = 0
            return nil
        }
        filter.undo(found + 1, row.bytes, count: row.count, unit: unit)
        rowsLeft -= 1
        return UnsafePointer(row.bytes)
    }
}
