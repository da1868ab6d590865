/// Unfiltered rows of a picture or of an interlace pass (PNG specification, 9).
final class PNGFilteredRows {
    private let data: ImageDataInflater
    private let filtered: RowBuffer
    private let row: RowBuffer
    private let unit: Int
    private let endsAtUnknownFilter: Bool

    /// Reads rows of `count` bytes from `data`.
    ///
    /// `unit` is the filters' distance in bytes: a whole pixel, or 1 for smaller pixels. An unknown
    /// filter type is a fault, or counts as missing data.
    init(
        _ data: ImageDataInflater, bytes count: Int, unit: Int, endsAtUnknownFilter: Bool = false
    ) {
        (self.data, self.unit, self.endsAtUnknownFilter) = (data, unit, endsAtUnknownFilter)
        // The filter type precedes the row.
        filtered = RowBuffer(count: count + 1)
        row = RowBuffer(count: count)
    }

    /// Returns the next row, valid until the next call and padded by `RowBuffer.padding`; nil if a
    /// tolerant reader finds no more data.
    func next() throws(DecodingFault) -> UnsafePointer<UInt8>? {
        let wanted = UnsafeMutableBufferPointer(start: filtered.bytes, count: filtered.count)
        guard try data.read(into: wanted) == wanted.count else { return nil }
        guard let filter = RowFilter(rawValue: filtered.bytes[0]) else {
            guard !endsAtUnknownFilter else { return nil }
            throw DecodingFault(
                .corrupt, at: data.offset, "an unknown filter type \(filtered.bytes[0])")
        }
        filter.undo(filtered.bytes + 1, row.bytes, count: row.count, unit: unit)
        return UnsafePointer(row.bytes)
    }
}
