/// The rows of a picture, or of a pass of one, with their filters undone (PNG specification, 9).
final class PNGFilteredRows {
    private let data: ImageDataInflater
    private let filtered: RowBuffer
    private let row: RowBuffer
    private let unit: Int

    /// Begins with the first row.
    ///
    /// - Parameters:
    ///   - data: Rows with their filters.
    ///   - count: Bytes of a row, at least 1.
    ///   - unit: The bytes of a whole pixel, 1 where that is less.
    init(_ data: ImageDataInflater, bytes count: Int, unit: Int) {
        (self.data, self.unit) = (data, unit)
        // The filter type stands in front.
        filtered = RowBuffer(count: count + 1)
        row = RowBuffer(count: count)
    }

    /// Gives the next row.
    ///
    /// - Returns: Its bytes, until the next call; nil where a tolerant reader finds no more.
    /// - Throws: `DecodingFault`; `corrupt` for a filter that there is not.
    func next() throws(DecodingFault) -> UnsafePointer<UInt8>? {
        let wanted = UnsafeMutableBufferPointer(start: filtered.bytes, count: filtered.count)
        guard try data.read(into: wanted) == wanted.count else { return nil }
        guard let filter = RowFilter(rawValue: filtered.bytes[0]) else {
            throw DecodingFault(.corrupt, at: data.offset, "a filter that there is not")
        }
        filter.undo(filtered.bytes + 1, row.bytes, count: row.count, unit: unit)
        return UnsafePointer(row.bytes)
    }
}
