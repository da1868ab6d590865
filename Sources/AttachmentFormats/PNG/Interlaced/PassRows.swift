final class PassRows {
    private let inflater: ImageDataInflater
    private let isTolerant: Bool
    private let unit: Int
    private var rowsLeft: Int
    /// Filter type and filtered row.
    private let filtered: RowBuffer
    private let row: RowBuffer

    init(
        _ pass: Adam7.Pass, of header: PNGImageHeader, inflater: ImageDataInflater,
        isTolerant: Bool
    ) {
        self.inflater = inflater
        self.isTolerant = isTolerant
        rowsLeft = pass.height
        unit = max(header.bitsPerPixel / 8, 1)
        filtered = RowBuffer(count: pass.rowBytes + 1)
        row = RowBuffer(count: pass.rowBytes)
    }

    /// Decodes the next row, valid until the next call and padded by `RowBuffer.padding`.
    ///
    /// Returns nil for this and all later rows once data are missing.
    func next() throws(DecodingFault) -> UnsafePointer<UInt8>? {
        guard rowsLeft > 0 else { return nil }
        rowsLeft -= 1
        let line = UnsafeMutableBufferPointer(start: filtered.bytes, count: filtered.count)
        guard try inflater.read(into: line) == line.count else { return end() }
        guard let filter = RowFilter(rawValue: line[0]) else {
            guard isTolerant else {
                throw DecodingFault(
                    .corrupt, at: inflater.offset, "an unknown filter type \(line[0])")
            }
            return end()
        }
        filter.undo(filtered.bytes + 1, row.bytes, count: row.count, unit: unit)
        return UnsafePointer(row.bytes)
    }

    /// Ends the pass: later rows depend on the missing one.
    private func end() -> UnsafePointer<UInt8>? {
        rowsLeft = 0
        return nil
    }
}
