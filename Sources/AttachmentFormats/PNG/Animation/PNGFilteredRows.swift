/// Unfiltered rows of a picture or of an interlace pass (PNG specification, 9).
final class PNGFilteredRows {
    private let data: ImageDataInflater
    private let filtered: RowBuffer
    private let row: RowBuffer
    private let unit: Int

    /// `unit` is the filters' distance in bytes: a whole pixel, or 1 for smaller pixels.
    init(_ data: ImageDataInflater, bytes count: Int, unit: Int) {
        (self.data, self.unit) = (data, unit)
        // The filter type precedes the row.
        filtered = RowBuffer(count: count + 1)
        row = RowBuffer(count: count)
    }

    /// Returns the next row, valid until the next call; nil if a tolerant reader finds no more
    /// data.
    func next() throws(DecodingFault) -> UnsafePointer<UInt8>? {
        let wanted = UnsafeMutableBufferPointer(start: filtered.bytes, count: filtered.count)
        guard try data.read(into: wanted) == wanted.count else { return nil }
        guard let filter = RowFilter(rawValue: filtered.bytes[0]) else {
            throw DecodingFault(.corrupt, at: data.offset, "an invalid filter type")
        }
        filter.undo(filtered.bytes + 1, row.bytes, count: row.count, unit: unit)
        return UnsafePointer(row.bytes)
    }
}
